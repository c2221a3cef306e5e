#pragma once
// Types for device limits: the maximum performance of a device at one kind of work. A limit is measured by a probe, a
// kernel that does this work and as little else as possible. It is valid only if the probe's result is correct.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/simt/machine.hpp"

namespace lockstep::limits {

// The size of the probes. With the defaults, a launch occupies an H200 for one to seven milliseconds.
struct Scale {
    unsigned multiprocessors = 132;
    std::uint64_t stream_bytes = std::uint64_t{2} << 30;  // of each array that is read or written sequentially
    std::vector<std::uint64_t> table_bytes = {std::uint64_t{4} << 20, std::uint64_t{64} << 20, std::uint64_t{1} << 30,
                                              std::uint64_t{8} << 30};  // powers of two
    unsigned random_accesses_log2 = 28;  // random loads per launch; atomic additions: a quarter of them
    double length = 1;                   // scales the loops in registers, shared memory and the L2 cache
    std::uint64_t cached_bytes = std::uint64_t{16} << 20;   // a working set that fits well in the L2 cache
    std::uint64_t pinned_bytes = std::uint64_t{256} << 20;  // of each transfer between host and device

    // Returns the number of repetitions of a loop that has `full` repetitions at length 1; at least two.
    unsigned repetitions(unsigned full) const { return std::max(2u, static_cast<unsigned>(full * length)); }

    // A few blocks and words, which the SIMT emulator executes in milliseconds.
    static Scale tiny() {
        return {1,
                std::uint64_t{1} << 16,
                {std::uint64_t{1} << 12, std::uint64_t{1} << 16},
                12,
                1e-9,
                std::uint64_t{1} << 16,
                std::uint64_t{1} << 16};
    }
};

// The work and the memory of one limit. The constructor allocates. Call reset(), then run() any number of times, then
// check().
class Probe {
public:
    virtual ~Probe() = default;

    // Poisons the outputs, so that check() detects a launch that wrote nothing.
    virtual void reset() = 0;

    // Queues one launch.
    virtual void run(simt::Stream stream) = 0;

    // Returns an empty string if the results of all runs since reset() are correct, otherwise a description of the
    // first difference. The stream must be idle.
    virtual std::string check() = 0;

    // The number of items per run, and the bytes read and written in device memory per run (0 if negligible).
    virtual double items() const = 0;
    virtual double bytes() const { return 0; }

    // Attributes of the kernel; the name is empty if there is no kernel.
    virtual simt::KernelAttributes kernel() const { return {}; }
};

enum class Quantity {
    rate,      // items per second: higher is better
    duration,  // seconds per item: lower is better
};

struct Limit {
    std::string name;         // "random_load.4MB"
    std::string item;         // the unit counted: "B", "loads", "FMA"
    std::string description;  // one line: the method
    simt::Machine machine = simt::Machine::cuda;
    Quantity quantity = Quantity::rate;
    bool per_clock = false;  // also reported per SM (CPU: core) and clock
    std::function<std::unique_ptr<Probe>(Scale const&)> make;
};

// Returns a short name such as "4MB" or "1GB" for a table size that is a power of two.
std::string size_name(std::uint64_t bytes);

// Returns "word 17 is 0x0000002a, not 0x0000002b": the common error format of all probes.
std::string difference(char const* what, std::uint64_t index, std::uint64_t actual, std::uint64_t expected);

}  // namespace lockstep::limits
