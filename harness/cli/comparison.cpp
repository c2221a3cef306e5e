#include "harness/cli/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::cli {

namespace {

std::string setting_text(std::string const& experiment, bench::Axes const& axes, std::string const& cache) {
    std::string text = experiment;
    // No axis value has a control character.
    for (auto const& [name, value] : axes.values())
        text += "\n" + name + "\n" + value;
    return text + "\n" + cache;
}

std::string place_of(std::string const& experiment, std::string const& machine) { return experiment + "/" + machine; }

// The name that stands in the most settings. The first one of several.
std::string most_frequent(std::vector<std::string> const& names) {
    std::string best;
    std::ptrdiff_t most = 0;
    std::set<std::string> seen;
    for (std::string const& name : names) {
        if (!seen.insert(name).second)
            continue;
        std::ptrdiff_t const count = std::count(names.begin(), names.end(), name);
        if (count > most) {
            most = count;
            best = name;
        }
    }
    return best;
}

}  // namespace

Comparison::Comparison(std::vector<bench::PlannedCase> const& cases, double const copy_limit,
                       bench::Machine const machine)
    : copy_limit_(copy_limit), limited_machine_(simt::to_string(machine)) {
    for (bench::Role const role : {bench::Role::baseline, bench::Role::paper}) {
        std::map<std::string, std::vector<std::string>> names;
        for (bench::PlannedCase const& planned : cases) {
            if (planned.variant->role == role && planned.variant->timed &&
                planned.variant->machine != bench::Machine::emulator &&
                planned.variant->unsupported_reason(planned.problem.axes).empty())
                names[place_of(planned.experiment->name, std::string(simt::to_string(planned.variant->machine)))]
                    .push_back(planned.variant->name);
        }
        for (auto const& [place, of_place] : names)
            baselines_.try_emplace(place, most_frequent(of_place));
    }
}

std::string const& Comparison::baseline(std::string const& experiment, std::string const& machine) const {
    static std::string const none;
    auto const found = baselines_.find(place_of(experiment, machine));
    return found == baselines_.end() ? none : found->second;
}

void Comparison::order(std::vector<bench::PlannedCase>& cases) const {
    auto const is_baseline = [&](bench::PlannedCase const& planned) {
        return planned.variant->name ==
               baseline(planned.experiment->name, std::string(simt::to_string(planned.variant->machine)));
    };
    // Cases with the same axes are adjacent.
    for (auto begin = cases.begin(); begin != cases.end();) {
        auto const end = std::find_if(begin, cases.end(), [&](bench::PlannedCase const& other) {
            return other.experiment != begin->experiment || !(other.problem.axes == begin->problem.axes);
        });
        std::stable_partition(begin, end, is_baseline);
        begin = end;
    }
}

bench::CaseRecord const& Comparison::add(bench::CaseRecord const& record) {
    records_.push_back(record);
    bench::CaseRecord& added = records_.back();
    added.timing_document.clear();
    added.timing_document.shrink_to_fit();
    std::string const key = setting_text(record.experiment, record.axes, record.cache);
    auto const [setting, is_new] = settings_.try_emplace(key);
    if (is_new)
        in_order_.push_back(key);
    setting->second.push_back(&added);
    return added;
}

bench::CaseRecord const* Comparison::baseline_of(bench::CaseRecord const& record) const {
    auto const setting = settings_.find(setting_text(record.experiment, record.axes, record.cache));
    std::string const& name = baseline(record.experiment, record.machine);
    if (setting == settings_.end() || name.empty())
        return nullptr;
    for (bench::CaseRecord const* const other : setting->second) {
        if (other->variant == name && other->machine == record.machine && other->time)
            return other;
    }
    return nullptr;
}

std::optional<double> Comparison::speed(bench::CaseRecord const& record) const {
    bench::CaseRecord const* const other = baseline_of(record);
    if (other == nullptr || !record.time || record.time->median <= 0)
        return std::nullopt;
    return other->time->median / record.time->median;
}

std::optional<double> Comparison::share(bench::CaseRecord const& record) const {
    if (!has_limit() || record.machine != limited_machine_ || !record.time || record.time->median <= 0 ||
        record.work.bytes <= 0)
        return std::nullopt;
    return record.work.bytes / record.time->median / copy_limit_;
}

std::vector<Ranked> Comparison::ranking() const {
    std::vector<Ranked> ranking;
    for (std::string const& key : in_order_) {
        std::vector<bench::CaseRecord const*> timed;
        for (bench::CaseRecord const* const record : settings_.at(key)) {
            if (record->time)
                timed.push_back(record);
        }
        if (timed.empty())
            continue;
        std::stable_sort(timed.begin(), timed.end(),
                         [](auto const* one, auto const* other) { return one->time->median < other->time->median; });
        ranking.push_back({timed[0], timed.size() > 1 ? timed[1] : nullptr, baseline_of(*timed[0])});
    }
    return ranking;
}

bool is_close(bench::CaseRecord const& one, bench::CaseRecord const& other) {
    return one.time->high >= other.time->low && other.time->high >= one.time->low;
}

std::string times_text(double const times) {
    if (times >= 99.95)
        return fmt::format("{:.0f}x", times);
    if (times >= 9.995)
        return fmt::format("{:.1f}x", times);
    if (times >= 0.01)
        return fmt::format("{:.2f}x", times);
    return fmt::format("{:.2g}x", times);
}

}  // namespace lockstep::cli
