#pragma once
// A number that a case reports beside its time: words drawn, steps, active lanes, seconds of a pass.

#include <map>
#include <string>

namespace lockstep::bench {

struct Metric {
    double value = 0;
    // True where every run of the same case on any machine reports the same number. False where a clock touches the
    // number, or where it depends on which lane or thread came first.
    bool deterministic = true;

    constexpr Metric() = default;
    constexpr Metric(double number) : value(number) {}  // implicit: most metrics are deterministic numbers
    constexpr operator double() const { return value; }

    // A number that another run of the same case may report differently.
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
