#include "kernels/rule_interpreter/queue_constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <vector>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/json_numbers.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/jit/cache.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::rule_interpreter {

namespace {

constexpr double max_constant = 1e9;
constexpr char const* advice = "Remove the file; lockstep interpret --tune writes another one.";

[[noreturn]] void refuse(std::filesystem::path const& path, std::string const& why) {
    throw bench::Error("cannot use " + path.string(), why, advice);
}

// Empty if there is none.
std::string named_file() {
    char const* const own = std::getenv("LOCKSTEP_TUNING");
    return own == nullptr ? "" : own;
}

QueueConstants constants_of_gpu() {
    simt::DeviceInfo const device = simt::current_device_info();
    if (device.multiprocessors == 0)
        return {};
    std::filesystem::path const path = tuning_file(device.name);
    std::error_code ignored;
    if (!named_file().empty() || std::filesystem::exists(path, ignored))
        return read_tuning(path, device.name);
    return default_constants(device);
}

std::optional<QueueConstants>& constants_in_place_of_file() {
    static std::optional<QueueConstants> constants;
    return constants;
}

}  // namespace

QueueConstants const& queue_constants(simt::Machine machine) {
    static QueueConstants const defaults;
    if (machine != simt::Machine::cuda)
        return defaults;
    if (constants_in_place_of_file())
        return *constants_in_place_of_file();
    static QueueConstants const of_gpu = constants_of_gpu();
    return of_gpu;
}

void use_queue_constants(QueueConstants const& constants) { constants_in_place_of_file() = constants; }

QueueConstants default_constants(simt::DeviceInfo const& device) {
    // Memory traffic per 32 values if the rule is enabled for half of them: the values are read, the results of the
    // enabled ones are written, and sectors that are written in part are read too. Fits the H100 and the H200.
    constexpr double bytes_per_32_values = 480;
    constexpr double slots_per_cycle = 4;  // of a multiprocessor
    QueueConstants constants;
    auto const resident_warps =
        static_cast<unsigned>(device.multiprocessors * device.max_threads_per_multiprocessor / 32);
    if (resident_warps != 0)
        constants.enough_warps = std::bit_floor(resident_warps);
    double const bytes_per_second = 2e3 * device.memory_clock_khz * device.memory_bus_bits / 8;
    double const slots_per_second = 1e3 * device.clock_khz * device.multiprocessors * slots_per_cycle;
    if (bytes_per_second > 0 && slots_per_second > 0)
        constants.loading_slots = std::max(1.0, bytes_per_32_values * slots_per_second / bytes_per_second);
    return constants;
}

std::filesystem::path tuning_file(std::string const& device) {
    if (std::string const own = named_file(); !own.empty())
        return own;
    std::string name = device;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
    return std::filesystem::path(jit::cache_folder()) / "tuning" / (name + ".json");
}

QueueConstants read_tuning(std::filesystem::path const& path, std::string const& device) {
    bench::NumbersAndTexts const file = bench::read_numbers(path, advice);
    auto const of = file.texts.find("device");
    if (of == file.texts.end() || file.texts.size() != 1)
        refuse(path, "its only text must be the name of the device");
    if (of->second != device)
        refuse(path, "it is of " + of->second + ", and the device is " + device);
    QueueConstants constants;
    std::vector<std::string> known;
    for (QueueConstant const& constant : all_queue_constants) {
        known.push_back(constant.name);
        auto const found = file.numbers.find(constant.name);
        if (found == file.numbers.end())
            refuse(path, std::string(constant.name) + " is missing");
        if (!(found->second >= 1 && found->second <= max_constant))
            refuse(path, std::string(constant.name) + fmt::format(" is {}, and must be from 1 to 1e9", found->second));
        constants.*constant.value = found->second;
    }
    for (auto const& [name, value] : file.numbers) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            refuse(path, "unknown constant " + name + ", " + bench::suggestion(name, known));
    }
    return constants;
}

void write_tuning(std::filesystem::path const& path, std::string const& device, QueueConstants const& constants) {
    std::string quoted;
    for (char const c : device)
        quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    std::string text = "{\n  \"device\": \"" + quoted + "\"";
    for (QueueConstant const& constant : all_queue_constants)
        text += fmt::format(",\n  \"{}\": {}", constant.name, constants.*constant.value);
    bench::write_file_atomically(path, text + "\n}\n");
}

}  // namespace lockstep::rule_interpreter
