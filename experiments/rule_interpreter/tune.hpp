#pragma once
// Measures the constants by which `auto` chooses (queue_constants.hpp): `lockstep interpret --tune`. Each constant is
// the place where one variant begins to be faster than another, so a contest runs both over a list of jobs.

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/variant.hpp"
#include "kernels/rule_interpreter/queue_constants.hpp"

namespace lockstep::rule_interpreter {

struct Contest {
    QueueConstant constant;
    std::string before;  // the variant below the constant
    std::string after;   // and from there on
    std::vector<std::pair<std::string, std::string>> axes;
    std::string varied;  // an axis
    std::vector<unsigned> values;
};

// All of them, for a device of so many resident warps.
std::vector<Contest> contests(double enough_warps);

// Of a job, one of the two variants at one value of the axis. `place` is where the job is on the constant's scale.
struct Measured {
    double place = 0;
    double before = 0;  // seconds
    double after = 0;
};

// The place that loses least if all jobs below it take `before`, and the others `after`. `jobs` are in ascending
// places, and not empty.
double crossing(std::span<Measured const> jobs);

using SecondsOf = std::function<double(bench::Variant const&, bench::Problem const&)>;

// Runs all contests with the variants of a machine. `told` is called after each.
QueueConstants tune(bench::Experiment const& experiment, simt::Machine machine, QueueConstants const& from,
                    SecondsOf const& seconds_of, std::function<void(QueueConstant const&, double)> const& told);

// `lockstep interpret --tune`: measures on the GPU, writes the device's tuning file, and prints both. Throws
// bench::Error without a GPU.
int tune_command(bench::Experiment const& experiment);

}  // namespace lockstep::rule_interpreter
