#include "harness/bench/extrapolation.hpp"

#include <algorithm>

namespace lockstep::bench {

std::uint64_t affordable_units(Variant const& variant, Problem const& problem, Stopwatch& stopwatch, double const limit,
                               double const target) {
    constexpr double long_enough = 0.1;
    std::uint64_t units = std::min<std::uint64_t>(problem.units, 16);
    while (units < problem.units) {
        Problem part = problem;
        part.units = units;
        auto const subject = variant.make(part);
        subject->reset();
        double const seconds = stopwatch.seconds([&] { subject->run(stopwatch.stream()); }, 1);
        if (seconds >= long_enough) {
            double const per_unit = seconds / static_cast<double>(units);
            double const whole = per_unit * static_cast<double>(problem.units);
            if (whole <= limit)
                return problem.units;
            auto const wanted = static_cast<std::uint64_t>(target / per_unit);
            return std::clamp<std::uint64_t>(wanted, 1, problem.units);
        }
        units *= 8;
    }
    return problem.units;
}

}  // namespace lockstep::bench
