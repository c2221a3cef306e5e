#pragma once
// Expected values of limits: from the vendor's documentation, and from an earlier measurement of the same GPU model.

#include <optional>
#include <string>

#include "harness/bench/limits/instruments.hpp"
#include "harness/bench/limits/limit.hpp"

namespace lockstep::limits {

struct Expectation {
    double value = 0;    // items per second or seconds per item, according to the limit's quantity
    std::string source;  // a short phrase
};

// Returns lanes per SM and clock, from the throughput table of the CUDA C++ Programming Guide (section "Arithmetic
// Instructions") or from a calculation; empty if neither applies.
std::optional<double> lanes_per_clock(std::string const& limit, int major, int minor);

// Returns the expectation from lanes and the measured clock, from the memory's clock and bus width, or from the data
// sheet's link to the host. Empty if no document states the limit.
std::optional<Expectation> documented(Limit const& limit, DeviceFacts const& facts, double clock_hz);

// Returns the value measured with different kernels on an NVIDIA H200 (132 SMs, 1980 MHz, CUDA 13.0, driver 580) on
// 2026-11-20.
std::optional<Expectation> measured_before(std::string const& limit, std::string const& device_name);

}  // namespace lockstep::limits
