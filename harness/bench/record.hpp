#pragma once
// What is kept of one case: the row of results/<device>/<experiment>.json.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

enum class Status {
    ok,            // verified, timed, verified again
    disagrees,     // with its reference, before, during or after timing
    failed,        // it threw: a launch, an allocation
    not_timed,     // verified, in the emulator or a variant that only counts: a time would mean nothing
    not_verified,  // no reference can say whether it is right
    refused        // the variant does not take these axes
};

std::string_view to_string(Status status);

// Whether a run with such a case ends with exit code 1.
bool is_failure(Status status);

// Seconds a launch.
struct CaseTime {
    double median = 0;
    double low = 0;       // interval of the median by order statistics: 95 % or more from 6 repetitions on,
    double high = 0;      // else the whole range
    double coverage = 0;  // of that interval
    double mean = 0;
    double sigma = 0;
    double mad = 0;  // median absolute deviation
    double cv = 0;   // sigma / mean
};

// Of at least two repetitions, each multiplied by `scale`. Throws std::invalid_argument for fewer.
CaseTime summarise_times(std::span<double const> seconds, double scale = 1);

// Seconds of the host's clock that a case took, beside its times: where a long run goes.
struct PhaseSeconds {
    double preparing = 0;     // inputs, memory, compilation
    double reference = 0;     // its results; nearly none where another case had asked for them
    double verification = 0;  // the first run and both comparisons
    double timing = 0;        // all repetitions, with what comes before each

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
    std::uint64_t units = 0;           // that the case is about
    std::uint64_t measured_units = 0;  // fewer where a CPU time is extrapolated
    std::vector<std::string> sweeps;
    std::string shard = "0/1";
    Status status = Status::failed;
    std::string reason;
    std::uint64_t verified_units = 0;
    std::uint64_t units_total = 0;
    std::optional<std::uint64_t> digest;  // over all units; none where fewer were measured
    std::string item;
    Work work;  // of `units`
    unsigned launches_per_sample = 0;
    int repetitions = 0;
    std::optional<CaseTime> time;  // status ok alone
    bool extrapolated = false;
    std::vector<simt::KernelAttributes> kernels;
    Metrics metrics;
    std::string cache = "hot";
    PhaseSeconds phase_seconds;
    std::string timing_document;  // Google Benchmark's JSON of this case, empty where it was not timed
};

}  // namespace lockstep::bench
