#include "harness/bench/limits/report.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "harness/bench/timer.hpp"
#include "harness/bench/whole_digests.hpp"

namespace lockstep::limits {

namespace {

struct Prefix {
    double factor;
    char const* name;
};

std::string scaled(double value, char const* unit, bool space) {
    constexpr std::array<Prefix, 8> prefixes = {
        {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}}};
    Prefix chosen = prefixes.back();
    for (Prefix const& prefix : prefixes) {
        if (value >= prefix.factor) {
            chosen = prefix;
            break;
        }
    }
    double const shown = value / chosen.factor;
    int const decimals = shown >= 100 ? 1 : shown >= 10 ? 2 : 3;
    return fmt::format("{:.{}f} {}{}{}", shown, decimals, chosen.name, space && *chosen.name != 0 ? " " : "", unit);
}

std::string ratio_text(double value, std::optional<Expectation> const& expected) {
    return expected && expected->value > 0 ? fmt::format("{:.2f}", value / expected->value) : "-";
}

// Half the width of the interval, in percent of the value.
std::string spread_text(LimitMeasurement const& measured) {
    return fmt::format("{:.1f} %", 50 * (measured.high - measured.low) / measured.value);
}

}  // namespace

std::string value_text(Limit const& limit, double value) {
    if (limit.quantity == Quantity::duration) {
        return scaled(value, "s", false);
    }
    // Bytes have no space between prefix and unit: TB/s, but T FMA/s.
    return scaled(value, unit_of(limit).c_str(), limit.item != "B");
}

std::string unit_of(Limit const& limit) { return limit.quantity == Quantity::rate ? limit.item + "/s" : "s"; }

std::string table_heading(simt::Machine machine) {
    std::string const first = fmt::format("{:<22} {:>20} {:>6}", "limit", "measured", "+-");
    if (machine == simt::Machine::cpu) {
        return first;
    }
    return first + fmt::format(" {:>9}   {:>20} {:>6}   {:>20} {:>6}", "SM, clock", "documented", "ratio",
                               "an H200 before", "ratio");
}

std::string table_line(LimitRow const& row) {
    LimitMeasurement const& measured = row.measured;
    Limit const& limit = measured.limit;
    if (measured.status != bench::Status::ok) {
        return fmt::format("{:<22} {}: {}", limit.name, bench::to_string(measured.status), measured.reason);
    }
    std::string const first =
        fmt::format("{:<22} {:>20} {:>6}", limit.name, value_text(limit, measured.value), spread_text(measured));
    if (limit.machine == simt::Machine::cpu) {
        return first;
    }
    std::string const lanes =
        measured.per_unit_and_clock > 0 ? fmt::format("{:.2f}", measured.per_unit_and_clock) : std::string("-");
    auto const expected = [&](std::optional<Expectation> const& one) {
        return one ? value_text(limit, one->value) : std::string("-");
    };
    return first + fmt::format(" {:>9}   {:>20} {:>6}   {:>20} {:>6}", lanes, expected(row.documented),
                               ratio_text(measured.value, row.documented), expected(row.before),
                               ratio_text(measured.value, row.before));
}

bench::CaseRecord case_record(LimitRow const& row) {
    LimitMeasurement const& measured = row.measured;
    bench::CaseRecord record;
    record.experiment = "limits";
    record.variant = measured.limit.name;
    record.role = "baseline";
    record.machine = simt::to_string(measured.limit.machine);
    record.name = record.experiment + "/" + record.variant + "/" + record.machine;
    record.status = measured.status;
    record.reason = measured.reason;
    record.item = measured.limit.item;
    record.work = {measured.items, measured.bytes, 0};
    record.launches_per_sample = measured.launches_per_sample;
    record.repetitions = measured.repetitions;
    record.time = measured.time;
    // Each limit checks words of its output, not all of them.
    record.verified = measured.status == bench::Status::ok ? bench::verified_sample : "";
    if (measured.time) {
        bool const on_gpu = measured.limit.machine == simt::Machine::cuda;
        record.timer = bench::to_string(on_gpu ? bench::Timer::events : bench::Timer::steady_clock);
        record.noise = (measured.time->high - measured.time->low) / 2 / measured.time->median;
    }
    record.kernels = measured.kernels;
    record.timing_document = measured.timing_document;
    if (measured.status != bench::Status::ok) {
        return record;
    }
    // All of them vary, because most depend on the clock and all on the device.
    auto const add = [&](char const* name, double value) { record.metrics[name] = bench::Metric::varying(value); };
    add("value", measured.value);
    add("low", measured.low);
    add("high", measured.high);
    if (measured.clock_hz > 0)
        add("clock_hz", measured.clock_hz);
    if (measured.per_unit_and_clock > 0)
        add("per_multiprocessor_and_clock", measured.per_unit_and_clock);
    if (row.documented)
        add("documented", row.documented->value);
    if (row.before)
        add("measured_before", row.before->value);
    return record;
}

bench::Limits counted_limits(std::vector<LimitRow> const& rows) {
    bench::Limits limits;
    for (LimitRow const& row : rows) {
        LimitMeasurement const& measured = row.measured;
        if (measured.status != bench::Status::ok) {
            continue;
        }
        limits[measured.limit.name] = {measured.value, unit_of(measured.limit)};
        if (measured.limit.name == "fma" && measured.clock_hz > 0) {
            limits["clock"] = {measured.clock_hz, "Hz"};
        }
    }
    return limits;
}

}  // namespace lockstep::limits
