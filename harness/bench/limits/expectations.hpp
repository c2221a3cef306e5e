#pragma once
// What a limit should come to: from the vendor's documents, and from an earlier measurement of the same model of GPU.

#include <optional>
#include <string>

#include "harness/bench/limits/instruments.hpp"
#include "harness/bench/limits/limit.hpp"

namespace lockstep::limits {

struct Expectation {
    double value = 0;    // items a second, or seconds an item, as the limit's quantity says
    std::string source;  // one phrase
};

// Lanes an SM and clock, from the throughput table of the CUDA C++ Programming Guide (section "Arithmetic
// Instructions") or from arithmetic; empty where neither says.
std::optional<double> lanes_per_clock(std::string const& limit, int major, int minor);

// From lanes and the clock measured, or from the memory's clock and bus width.
std::optional<Expectation> documented(Limit const& limit, DeviceFacts const& facts, double clock_hz);

// Measured on an NVIDIA H200 (132 SMs, 1980 MHz, CUDA 13.0, driver 580) on 2026-11-20 by other kernels than these.
std::optional<Expectation> measured_before(std::string const& limit, std::string const& device_name);

}  // namespace lockstep::limits
