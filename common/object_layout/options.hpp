#pragma once
// The layout and launch options of a simulation: the axes that affect speed but not results.

#include <algorithm>
#include <string>

#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

enum class Layout { soa, aos, aos_padded, aosoa };
enum class Order { shuffled, jobs, sorted };

struct TrafficOptions {
    Layout layout = Layout::soa;
    Order order = Order::sorted;
    unsigned object_bytes = 56;  // of an agent in aos_padded
    unsigned min_bytes = 16;     // of an agent in aos and aos_padded; a pointer to a virtual table needs more
    unsigned block = 0;          // threads per block; 0: the variant's choice
    unsigned launch_ticks = 0;   // ticks per launch; 0: all of the simulation
};

Layout layout_from_string(std::string const& name);  // throws bench::Error
Order order_from_string(std::string const& name);    // throws bench::Error
TrafficOptions options_of(bench::Axes const& axes);  // throws bench::Error

// The ticks of the first launch of a simulation.
inline unsigned ticks_per_launch(unsigned ticks, TrafficOptions const& options) {
    return options.launch_ticks == 0 ? ticks : std::min(ticks, options.launch_ticks);
}

// Bytes per agent and per street in a layout. The paper's padded street has 32 bytes.
unsigned agent_bytes(TrafficOptions const& options);
unsigned street_bytes(TrafficOptions const& options);

// Half the number of bits on which the shuffle of `indices` indices works (parameters.hpp).
unsigned shuffle_bits(unsigned long long indices);

}  // namespace lockstep::object_layout
