#include "harness/bench/clock_monitor.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "harness/stats/summary.hpp"

namespace lockstep::bench {

namespace {

// The part of nvml.h that is used here. Its functions return 0 on success.
using NvmlDevice = void*;
constexpr int nvml_clock_sm = 1;
constexpr int nvml_temperature_gpu = 0;

struct Nvml {
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*device_by_uuid)(char const*, NvmlDevice*) = nullptr;
    int (*clock)(NvmlDevice, int, unsigned*) = nullptr;
    int (*temperature)(NvmlDevice, int, unsigned*) = nullptr;
    int (*reasons)(NvmlDevice, unsigned long long*) = nullptr;
};

struct Library {
    void* handle = nullptr;

    Library() : handle(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
    Library(Library const&) = delete;
    Library& operator=(Library const&) = delete;
    ~Library() {
        if (handle != nullptr)
            ::dlclose(handle);
    }

    template <class Function>
    bool find(Function& function, char const* const name) const {
        function = reinterpret_cast<Function>(::dlsym(handle, name));
        return function != nullptr;
    }

    bool load(Nvml& nvml) const {
        if (handle == nullptr)
            return false;
        bool const named = find(nvml.init, "nvmlInit_v2") && find(nvml.shutdown, "nvmlShutdown") &&
                           find(nvml.device_by_uuid, "nvmlDeviceGetHandleByUUID") &&
                           find(nvml.clock, "nvmlDeviceGetClockInfo") &&
                           find(nvml.temperature, "nvmlDeviceGetTemperature");
        // Drivers before 535 know the reasons by their older name only.
        return named && (find(nvml.reasons, "nvmlDeviceGetCurrentClocksEventReasons") ||
                         find(nvml.reasons, "nvmlDeviceGetCurrentClocksThrottleReasons"));
    }
};

// "GPU-01234567-89ab-cdef-0123-456789abcdef" from 32 hexadecimal digits.
std::string nvml_uuid(std::string const& digits) {
    if (digits.size() != 32)
        return {};
    return "GPU-" + digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-" + digits.substr(12, 4) + "-" +
           digits.substr(16, 4) + "-" + digits.substr(20);
}

class NvmlMonitor : public ClockMonitor {
public:
    ~NvmlMonitor() override {
        if (started_)
            nvml_.shutdown();
    }

    bool open(std::string const& uuid) {
        if (!library_.load(nvml_) || nvml_.init() != 0)
            return false;
        started_ = true;
        return nvml_.device_by_uuid(nvml_uuid(uuid).c_str(), &device_) == 0 && try_read(last_);
    }

    // Reads the library at most every 10 ms, because the clock changes no faster, and short cases have many samples.
    ClockReading read() override {
        auto const now = Clock::now();
        if (now - read_at_ > std::chrono::milliseconds(10)) {
            try_read(last_);
            read_at_ = Clock::now();
        }
        return last_;
    }

private:
    using Clock = std::chrono::steady_clock;

    bool try_read(ClockReading& reading) const {
        unsigned megahertz = 0;
        unsigned celsius = 0;
        unsigned long long reasons = 0;
        if (nvml_.clock(device_, nvml_clock_sm, &megahertz) != 0 ||
            nvml_.temperature(device_, nvml_temperature_gpu, &celsius) != 0 || nvml_.reasons(device_, &reasons) != 0) {
            return false;
        }
        reading = {1e6 * megahertz, static_cast<double>(celsius), reasons};
        return true;
    }

    Library library_;
    Nvml nvml_;
    NvmlDevice device_ = nullptr;
    bool started_ = false;
    ClockReading last_;
    Clock::time_point read_at_{};
};

constexpr std::array<std::pair<std::uint64_t, char const*>, 5> throttling = {{{0x04, "sw_power_cap"},
                                                                              {0x08, "hw_slowdown"},
                                                                              {0x20, "sw_thermal_slowdown"},
                                                                              {0x40, "hw_thermal_slowdown"},
                                                                              {0x80, "hw_power_brake"}}};

}  // namespace

std::unique_ptr<ClockMonitor> make_clock_monitor(std::string const& uuid) {
    auto monitor = std::make_unique<NvmlMonitor>();
    if (!monitor->open(uuid))
        return nullptr;
    return monitor;
}

bool is_throttled(ClockReading const& reading) { return !throttle_names(reading.reasons).empty(); }

std::vector<std::string> throttle_names(std::uint64_t const reasons) {
    std::vector<std::string> names;
    for (auto const& [bit, name] : throttling) {
        if ((reasons & bit) != 0)
            names.emplace_back(name);
    }
    return names;
}

std::optional<ClockSummary> summarise_clocks(std::span<ClockReading const> const readings) {
    if (readings.empty())
        return std::nullopt;
    std::vector<double> rates;
    ClockSummary summary;
    std::uint64_t reasons = 0;
    for (ClockReading const& reading : readings) {
        rates.push_back(reading.sm_hz);
        summary.temperature_c = std::max(summary.temperature_c, reading.temperature_c);
        reasons |= reading.reasons;
    }
    summary.sm_hz = stats::median(rates);
    summary.sm_hz_min = *std::min_element(rates.begin(), rates.end());
    summary.throttle = throttle_names(reasons);
    return summary;
}

}  // namespace lockstep::bench
