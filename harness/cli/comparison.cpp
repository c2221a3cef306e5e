#include "harness/cli/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::cli {

namespace {

std::string setting_text(std::string const& experiment, bench::Axes const& axes, std::string const& cache) {
    std::string text = experiment;
    // No axis value has a control character.
    for (auto const& [name, value] : axes.values())
        text += "\n" + name + "\n" + value;
    return text + "\n" + cache;
}

std::string place_of(std::string const& setting, std::string_view const machine) {
    return setting + "\n" + std::string(machine);
}

std::string setting_of(bench::PlannedCase const& planned) {
    return setting_text(planned.experiment->name, planned.problem.axes, planned.cache);
}

bool can_be_baseline(bench::PlannedCase const& planned) {
    bench::Variant const& variant = *planned.variant;
    return (variant.role == bench::Role::baseline || variant.role == bench::Role::paper) && variant.timed &&
           variant.machine != bench::Machine::emulator && variant.unsupported_reason(planned.problem.axes).empty();
}

}  // namespace

Comparison::Comparison(std::vector<bench::PlannedCase> const& cases, double const copy_limit,
                       bench::Machine const machine)
    : copy_limit_(copy_limit), limited_machine_(simt::to_string(machine)) {
    std::vector<bench::PlannedCase const*> candidates;
    std::map<bench::Variant const*, std::size_t> settings;
    for (bench::PlannedCase const& planned : cases) {
        if (can_be_baseline(planned)) {
            candidates.push_back(&planned);
            ++settings[planned.variant];
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](auto const* one, auto const* other) {
        auto const is_paper = [](auto const* planned) { return planned->variant->role == bench::Role::paper; };
        return is_paper(one) != is_paper(other) ? is_paper(other)
                                                : settings.at(one->variant) > settings.at(other->variant);
    });
    for (bench::PlannedCase const* const planned : candidates) {
        std::string const machine_name(simt::to_string(planned->variant->machine));
        if (!baselines_.try_emplace(place_of(setting_of(*planned), machine_name), planned->variant->name).second)
            continue;
        std::vector<std::string>& known = described_[planned->experiment->name];
        std::string const text = planned->variant->name + " on " + machine_name;
        if (std::find(known.begin(), known.end(), text) == known.end())
            known.push_back(text);
    }
}

std::string Comparison::baseline(bench::CaseRecord const& record) const {
    auto const found =
        baselines_.find(place_of(setting_text(record.experiment, record.axes, record.cache), record.machine));
    return found == baselines_.end() ? "" : found->second;
}

std::vector<std::string> Comparison::baselines(std::string const& experiment) const {
    auto const found = described_.find(experiment);
    return found == described_.end() ? std::vector<std::string>() : found->second;
}

void Comparison::order(std::vector<bench::PlannedCase>& cases) const {
    auto const is_baseline = [&](bench::PlannedCase const& planned) {
        auto const found = baselines_.find(place_of(setting_of(planned), simt::to_string(planned.variant->machine)));
        return found != baselines_.end() && found->second == planned.variant->name;
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
    std::string const name = baseline(record);
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
