#pragma once
// The vocabulary of device limits: what a device can do at most at one kind of work. A limit is measured by a probe, a
// kernel that does this work and as little else as possible, and counts only after the probe's result was found right.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/simt/machine.hpp"

namespace lockstep::limits {

// How large the probes are made. The defaults fill an H200 for one to seven milliseconds a launch.
struct Scale {
    unsigned multiprocessors = 132;
    std::uint64_t stream_bytes = std::uint64_t{2} << 30;  // of each array that is read or written in order
    std::vector<std::uint64_t> table_bytes = {std::uint64_t{4} << 20, std::uint64_t{64} << 20, std::uint64_t{1} << 30,
                                              std::uint64_t{8} << 30};  // powers of two
    unsigned random_accesses_log2 = 28;  // random loads a launch; atomic additions are a quarter of them
    double length = 1;                   // of the loops in registers and shared memory

    // Repetitions of a loop that has `full` of them at length 1; at least two.
    unsigned repetitions(unsigned full) const { return std::max(2u, static_cast<unsigned>(full * length)); }

    // Some blocks and some words: what the SIMT emulator executes in milliseconds.
    static Scale tiny() {
        return {1, std::uint64_t{1} << 16, {std::uint64_t{1} << 12, std::uint64_t{1} << 16}, 12, 1e-9};
    }
};

// One limit's work with its memory. The constructor allocates. Order of calls: reset(), then run() any number of times,
// then check().
class Probe {
public:
    virtual ~Probe() = default;

    // Poisons the outputs, so that a launch that wrote nothing is found out.
    virtual void reset() = 0;

    // Queues one launch.
    virtual void run(simt::Stream stream) = 0;

    // Empty where the results of all runs since reset() are right, else what differs. The stream is idle.
    virtual std::string check() = 0;

    // What one run does: of the limit's item, and bytes read and written in device memory (0: none to speak of).
    virtual double items() const = 0;
    virtual double bytes() const { return 0; }

    // Attributes of the kernel; an empty name where there is none.
    virtual simt::KernelAttributes kernel() const { return {}; }
};

enum class Quantity {
    rate,      // items a second: more is better
    duration,  // seconds an item: less is better
};

struct Limit {
    std::string name;         // "random_load.4MB"
    std::string item;         // what is counted: "B", "loads", "FMA"
    std::string description;  // one line: the method
    simt::Machine machine = simt::Machine::cuda;
    Quantity quantity = Quantity::rate;
    bool per_clock = false;  // also stated an SM (CPU: core) and clock
    std::function<std::unique_ptr<Probe>(Scale const&)> make;
};

// "4MB", "1GB": the short name of a table that holds a power of two of bytes.
std::string size_name(std::uint64_t bytes);

// "word 17 is 0x0000002a, not 0x0000002b": one way of saying it for all probes.
std::string difference(char const* what, std::uint64_t index, std::uint64_t actual, std::uint64_t expected);

}  // namespace lockstep::limits
