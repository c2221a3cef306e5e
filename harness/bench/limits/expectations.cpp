#include "harness/bench/limits/expectations.hpp"

#include <map>

namespace lockstep::limits {

namespace {

bool begins(std::string const& text, char const* with) { return text.rfind(with, 0) == 0; }

// The two directions of a link are separate. Data sheets state their sum. Grace Hopper ("NVIDIA GH200") has no PCIe
// between its CPU and its GPU.
std::optional<Expectation> documented_transfer(std::string const& limit, std::string const& device_name) {
    auto const is = [&](char const* name) { return device_name.find(name) != std::string::npos; };
    double const both = is(" H100") || is(" H200") ? 128e9 : is(" A100") ? 64e9 : 0;
    if (both == 0) {
        return std::nullopt;
    }
    return Expectation{limit == "pcie.both" ? both : both / 2, "data sheet: PCIe x16"};
}

}  // namespace

std::optional<double> lanes_per_clock(std::string const& limit, int major, int minor) {
    // Of 32 random addresses in 32 banks, 3.533 on average fall into the fullest bank.
    if (begins(limit, "shared_lookup")) {
        return 32 / 3.533;
    }
    bool const described = (major == 7 && minor == 5) || major == 8 || major == 9;
    if (!described) {
        return std::nullopt;
    }
    bool const wide = major == 9 || (major == 8 && minor != 0);
    if (limit == "fma" || limit == "fma.shared_register") {
        return wide ? 128 : 64;
    }
    if (limit == "fma.double") {
        return major == 9 ? 64 : major == 8 && minor == 0 ? 32 : 2;
    }
    if (limit == "lop3" || limit == "imad") {
        return 64;
    }
    if (begins(limit, "mufu")) {
        return 16;
    }
    if (limit == "popc") {
        return 16;
    }
    if (limit == "shfl") {
        return 32;
    }
    if (limit == "redux" && major >= 8) {
        return 16;
    }
    return std::nullopt;
}

std::optional<Expectation> documented(Limit const& limit, DeviceFacts const& facts, double clock_hz) {
    if (limit.machine != simt::Machine::cuda) {
        return std::nullopt;
    }
    if (begins(limit.name, "pcie.")) {
        return documented_transfer(limit.name, facts.device.name);
    }
    // No document states the bandwidth of Hopper's L2 cache.
    if (begins(limit.name, "l2.")) {
        return std::nullopt;
    }
    if (limit.item == "B") {
        if (facts.memory_bytes_per_second <= 0) {
            return std::nullopt;
        }
        return Expectation{facts.memory_bytes_per_second, "memory clock and bus width"};
    }
    std::optional<double> const lanes =
        lanes_per_clock(limit.name, facts.device.compute_capability_major, facts.device.compute_capability_minor);
    if (!lanes || clock_hz <= 0) {
        return std::nullopt;
    }
    return Expectation{*lanes * facts.device.multiprocessors * clock_hz, begins(limit.name, "shared")
                                                                             ? "32 lanes over the fullest of 32 banks"
                                                                             : "CUDA programming guide"};
}

std::optional<Expectation> measured_before(std::string const& limit, std::string const& device_name) {
    if (device_name.find("H200") == std::string::npos) {
        return std::nullopt;
    }
    constexpr double sm_clocks = 132 * 1.98e9;
    static std::map<std::string, double> const marks = {
        {"copy", 3.97e12},
        {"copy.memcpy", 4.31e12},
        {"random_load.4MB", 162e9},
        {"random_load.64MB", 76e9},
        {"random_load.1GB", 40e9},
        {"random_load.8GB", 38.8e9},
        {"random_atomic.4MB", 102e9},
        {"random_atomic.64MB", 36e9},
        {"random_atomic.1GB", 16.3e9},
        {"random_atomic.8GB", 15.6e9},
        {"fma.three_registers", 97 * sm_clocks},
        {"lop3", 63 * sm_clocks},
        {"imad", 64 * sm_clocks},
        {"popc", 15 * sm_clocks},
        {"shfl", 32 * sm_clocks},
        {"redux", 16 * sm_clocks},
        {"shared_lookup.128KB", 2349e9},
        {"random_words.xorwow", 3058e9},
        {"random_words.taus88", 1522e9},
        {"random_words.pcg32", 1711e9},
        {"random_words.philox10", 1295e9},
        {"launch.bare", 2.7e-6},
    };
    auto const found = marks.find(limit);
    if (found == marks.end()) {
        return std::nullopt;
    }
    return Expectation{found->second, "an H200 on 2026-11-20"};
}

}  // namespace lockstep::limits
