#include "harness/bench/record.hpp"

#include <cmath>
#include <stdexcept>

#include "harness/stats/summary.hpp"

namespace lockstep::bench {

std::string_view to_string(Status const status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::disagrees:
            return "disagrees";
        case Status::failed:
            return "failed";
        case Status::not_timed:
            return "not_timed";
        case Status::not_verified:
            return "not_verified";
        case Status::refused:
            return "refused";
    }
    throw std::invalid_argument("unknown status");
}

CaseTime summarise_times(std::span<double const> const seconds, double const scale) {
    if (seconds.size() < 2)
        throw std::invalid_argument("a summary of times needs at least two repetitions");
    stats::Summary const summary = stats::summarize(seconds);
    // The full range misses the median of a continuous distribution only if all values are on one side of it.
    double const whole = 1 - std::pow(0.5, static_cast<double>(seconds.size()) - 1);
    stats::Interval const interval =
        summary.median_interval.value_or(stats::Interval{summary.minimum, summary.maximum, whole});
    CaseTime time;
    time.median = summary.median * scale;
    time.low = interval.low * scale;
    time.high = interval.high * scale;
    time.coverage = interval.coverage;
    time.mean = summary.mean * scale;
    time.sigma = summary.sigma.value_or(0) * scale;
    time.mad = summary.median_absolute_deviation * scale;
    time.cv = summary.coefficient_of_variation.value_or(0);
    return time;
}

PhaseSeconds& PhaseSeconds::operator+=(PhaseSeconds const& other) {
    preparing += other.preparing;
    reference += other.reference;
    verification += other.verification;
    timing += other.timing;
    return *this;
}

bool is_failure(Status const status) {
    return status == Status::disagrees || status == Status::failed || status == Status::not_verified;
}

}  // namespace lockstep::bench
