#pragma once
// A simulation in the memory of one machine: agents and streets in a layout, the network's arrays, and the kernels that
// put agents into their first state and collect the last one. For `.cu` files, after their kernels.

#include <memory>
#include <utility>
#include <vector>

#include "common/object_layout/layouts.hpp"
#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic.hpp"
#include "harness/bench/stored_output.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::object_layout {

// Where the classes of a simulation begin, for the kernels that make agents.
struct Classes {
    unsigned long long first[max_types + 1] = {};
    unsigned types = 0;
    unsigned streets = 0;
    unsigned long long seed = 0;
};

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

class TrafficMemory {
public:
    // Agents first_number .. first_number + agents - 1 of the traffic. Throws bench::Error where they do not fit.
    TrafficMemory(std::shared_ptr<Traffic const> traffic, TrafficOptions const& options,
                  unsigned long long first_number, unsigned agents);

    // Before the first tick.
    void begin();
    // Every agent's state into results of two words, in the order of their numbers.
    void collect(unsigned* results) const;

    TrafficParameters const& parameters() const { return parameters_; }
    Classes const& classes() const { return classes_; }
    // Agent indices in the order of the job array, with no-op lanes; empty for other orders.
    std::vector<unsigned> const& jobs() const { return job_indices_; }
    unsigned job_count() const { return parameters_.end_job; }
    // Jobs [first, end) of each class that has any, where objects are sorted or have a job array.
    std::vector<std::pair<unsigned, unsigned>> const& jobs_of_classes() const { return jobs_of_classes_; }
    // Moves of agents of no known class, since begin().
    unsigned unknown() const;

private:
    void place_streets();
    void order_jobs();

    std::shared_ptr<Traffic const> traffic_;
    TrafficOptions options_;
    TrafficParameters parameters_;
    Classes classes_;
    Buffer<unsigned char> agents_;
    Buffer<unsigned char> streets_;
    Buffer<unsigned> arrays_[4];  // offset, size, contents, table
    Buffer<unsigned> jobs_;
    Buffer<unsigned> unknown_;
    std::vector<unsigned> job_indices_;
    std::vector<std::pair<unsigned, unsigned>> jobs_of_classes_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
