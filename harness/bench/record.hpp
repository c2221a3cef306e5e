#pragma once
// The record of one case: a row of results/<device>/<experiment>.json.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/bench/clock_monitor.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

enum class Status {
    ok,            // verified, timed, verified again
    disagrees,     // with its reference, before, during or after timing
    failed,        // it threw an exception, for example in a launch or an allocation
    not_timed,     // verified, but a time has no meaning: the emulator, or a variant that only counts
    not_verified,  // no reference can compute the expected results
    refused        // the variant does not support these axes
};

std::string_view to_string(Status status);

// Returns true if a run with such a case ends with exit code 1.
bool is_failure(Status status);

// Seconds per launch.
struct CaseTime {
    double median = 0;
    double low = 0;       // interval of the median by order statistics: 95% or more from 6 repetitions on,
    double high = 0;      // else the full range
    double coverage = 0;  // of that interval
    double mean = 0;
    double sigma = 0;
    double mad = 0;  // median absolute deviation
    double cv = 0;   // sigma / mean
};

// Summarises at least two repetitions, each multiplied by `scale`. Throws std::invalid_argument for fewer.
CaseTime summarise_times(std::span<double const> seconds, double scale = 1);

// Wall-clock seconds of the phases of a case on the host; shows where a long run spends its time.
struct PhaseSeconds {
    double preparing = 0;     // inputs, memory, compilation
    double reference = 0;     // reference results; almost 0 if they are cached from another case
    double verification = 0;  // the first run and both comparisons
    double timing = 0;        // all repetitions, including the preparation of each

    PhaseSeconds& operator+=(PhaseSeconds const& other);
    double sum() const { return preparing + reference + verification + timing; }
};

struct CaseRecord {
    std::string name;
    std::string experiment;
    std::string variant;
    std::string role;
    std::string machine;
    std::string reference;
    Axes axes;
    std::uint64_t seed = 0;
    std::uint64_t first_unit = 0;
    std::uint64_t units = 0;           // units of the case
    std::uint64_t measured_units = 0;  // fewer than `units` if a CPU time is extrapolated
    std::vector<std::string> sweeps;
    std::string shard = "0/1";
    Status status = Status::failed;
    std::string reason;
    std::uint64_t verified_units = 0;
    std::string verified;  // how the timed output was verified; empty if it was not
    std::uint64_t units_total = 0;
    std::optional<std::uint64_t> digest;  // over all units; unset if fewer were measured
    std::string item;
    Work work;  // of `units`
    unsigned launches_per_sample = 0;
    int repetitions = 0;
    std::optional<CaseTime> time;  // only for status ok
    std::string timer;             // to_string(Timer)
    int discarded_samples = 0;     // taken while the device was throttled
    double noise = 0;              // noise_of() the repetitions
    std::optional<ClockSummary> clock;
    bool extrapolated = false;
    std::vector<simt::KernelAttributes> kernels;
    Metrics metrics;
    std::string cache = "hot";
    PhaseSeconds phase_seconds;
    std::string timing_document;  // Google Benchmark's JSON of this case; empty if not timed
};

}  // namespace lockstep::bench
