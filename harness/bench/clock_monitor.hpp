#pragma once
// The clock rate, the temperature and the reasons for throttling that NVIDIA's management library (NVML) reports for a
// GPU. The library is loaded at run time; without it, there is no monitor.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::bench {

struct ClockReading {
    double sm_hz = 0;
    double temperature_c = 0;
    std::uint64_t reasons = 0;  // NVML's bit mask of reasons why the clock is below its maximum
};

// Reads one device. An interface, so that tests can script readings.
class ClockMonitor {
public:
    virtual ~ClockMonitor() = default;
    virtual ClockReading read() = 0;
};

// `uuid` as in simt::DeviceInfo: hexadecimal digits without hyphens. Returns null if the library or the device is
// missing.
std::unique_ptr<ClockMonitor> make_clock_monitor(std::string const& uuid);

// Returns true if heat or power lowers the clock. An idle device and a clock that a user has set are not throttling.
bool is_throttled(ClockReading const& reading);

// The names of the bits of `reasons` that count as throttling.
std::vector<std::string> throttle_names(std::uint64_t reasons);

// The readings of all samples of one case.
struct ClockSummary {
    double sm_hz = 0;  // median
    double sm_hz_min = 0;
    double temperature_c = 0;  // highest
    std::vector<std::string> throttle;
};
std::optional<ClockSummary> summarise_clocks(std::span<ClockReading const> readings);

}  // namespace lockstep::bench
