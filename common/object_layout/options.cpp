#include "common/object_layout/options.hpp"

#include <algorithm>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::object_layout {

Layout layout_from_string(std::string const& name) {
    bench::require_known("layout", name, {"soa", "aos", "aos_padded", "aosoa"});
    return name == "soa"          ? Layout::soa
           : name == "aos"        ? Layout::aos
           : name == "aos_padded" ? Layout::aos_padded
                                  : Layout::aosoa;
}

Order order_from_string(std::string const& name) {
    bench::require_known("order", name, {"shuffled", "jobs", "sorted"});
    return name == "shuffled" ? Order::shuffled : name == "jobs" ? Order::jobs : Order::sorted;
}

TrafficOptions options_of(bench::Axes const& axes) {
    TrafficOptions options;
    options.layout = layout_from_string(axes.text("layout"));
    options.order = order_from_string(axes.text("order"));
    options.object_bytes = static_cast<unsigned>(axes.integer("object_bytes"));
    options.block = static_cast<unsigned>(axes.integer("block"));
    options.launch_ticks = static_cast<unsigned>(axes.integer("launch_ticks"));
    if (options.object_bytes % 8 != 0) {
        throw bench::Error("object_bytes " + std::to_string(options.object_bytes) + " is invalid",
                           "it must be a multiple of 8 from 16 to 128", "Try 56.");
    }
    if (options.block % 32 != 0) {
        throw bench::Error("block " + std::to_string(options.block) + " does not consist of whole warps",
                           "a warp has 32 threads", "Try 128.");
    }
    return options;
}

unsigned agent_bytes(TrafficOptions const& options) {
    bool const structure = options.layout == Layout::aos || options.layout == Layout::aos_padded;
    unsigned const bytes = options.layout == Layout::aos_padded ? options.object_bytes : 16;
    return structure ? std::max(bytes, options.min_bytes) : bytes;
}

unsigned street_bytes(TrafficOptions const& options) { return options.layout == Layout::aos_padded ? 32 : 12; }

unsigned shuffle_bits(unsigned long long indices) {
    unsigned bits = 1;
    while (bits < 16 && (1ull << (2 * bits)) < indices)
        ++bits;
    return bits;
}

}  // namespace lockstep::object_layout
