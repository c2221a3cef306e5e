#pragma once
// A number that a case reports in addition to its time: words drawn, steps, active lanes, seconds of a pass.

#include <map>
#include <string>

namespace lockstep::bench {

struct Metric {
    double value = 0;
    // True if every run of the same case on any machine reports the same number. False if the number depends on a clock
    // or on the order in which lanes or threads run.
    bool deterministic = true;

    constexpr Metric() = default;
    constexpr Metric(double number) : value(number) {}  // implicit: most metrics are deterministic numbers
    constexpr operator double() const { return value; }

    // A number that may differ between runs of the same case.
    static constexpr Metric varying(double number) {
        Metric metric(number);
        metric.deterministic = false;
        return metric;
    }

    constexpr Metric& operator+=(double number) {
        value += number;
        return *this;
    }
};

using Metrics = std::map<std::string, Metric>;

}  // namespace lockstep::bench
