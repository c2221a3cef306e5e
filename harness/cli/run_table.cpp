#include "harness/cli/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "harness/bench/axes.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/utf8.hpp"
#include "harness/cli/progress.hpp"

namespace lockstep::cli {

namespace {

using bench::CaseRecord;
using bench::PlannedCase;
using bench::Status;

constexpr std::size_t max_ranked = 40;  // lines of the ranking
constexpr std::size_t max_named = 4;    // cases with the same reason
constexpr std::size_t max_reasons = 20;

std::string percent_text(double const share) {
    if (!std::isfinite(share))
        return "-";
    if (share < 0.00995)
        return fmt::format("{:.2g}%", 100 * share);
    return share < 0.0995 ? fmt::format("{:.1f}%", 100 * share) : fmt::format("{:.0f}%", 100 * share);
}

std::string verified_units_text(CaseRecord const& record) {
    return fmt::format("{} of {} units verified", record.verified_units, record.units_total);
}

std::string status_text(CaseRecord const& record) {
    if (record.status == Status::not_timed)
        return "not timed, " + verified_units_text(record);
    std::string const text(bench::to_string(record.status));
    return record.reason.empty() ? text : text + " (" + bench::message_line(record.reason) + ")";
}

Colour colour_of(Status const status) {
    switch (status) {
        case Status::ok:
            return Colour::none;
        case Status::not_timed:
            return Colour::faint;
        case Status::refused:
            return Colour::yellow;
        default:
            return Colour::red;
    }
}

// One line per reason, with the cases that it is of.
struct Problems {
    std::map<std::string, std::vector<std::string>> labels;
    std::vector<std::pair<std::string, Colour>> in_order;

    void add(std::string const& reason, Colour const colour, std::string label) {
        auto const [entry, is_new] = labels.try_emplace(reason);
        if (is_new)
            in_order.emplace_back(reason, colour);
        entry->second.push_back(std::move(label));
    }
};

std::string comparison_text(CaseRecord const& best, CaseRecord const* const other) {
    if (other == nullptr)
        return "-";
    if (other == &best)
        return "is the baseline";
    std::string const name = other->variant + (other->machine == best.machine ? "" : " on " + other->machine);
    if (is_close(best, *other))
        return "as fast as " + name;
    return times_text(other->time->median / best.time->median) + " " + name;
}

}  // namespace

RunTable::RunTable(std::vector<PlannedCase> const& cases, Comparison& comparison, std::ostream& out,
                   Terminal const& terminal)
    : comparison_(comparison), out_(out), terminal_(terminal) {
    std::map<std::string, std::vector<PlannedCase const*>> by_experiment;
    for (PlannedCase const& planned : cases)
        by_experiment[planned.experiment->name].push_back(&planned);
    // The first column is "[12/120]  ".
    std::size_t const number = 2 * std::to_string(cases.size()).size() + 5;
    for (auto const& [name, of_experiment] : by_experiment)
        layouts_[name] = layout_of(of_experiment, comparison, terminal_.width - number);
}

void RunTable::begun(std::size_t const cases) { total_ = cases; }

void RunTable::compiling(std::size_t const texts) {
    out_ << fmt::format("compiling {} programs, unless the cache has them\n", texts) << std::flush;
}

std::vector<std::string> RunTable::values_of(TableLayout const& layout, CaseRecord const& record) const {
    std::vector<std::string> values;
    for (TableLayout::Column const& column : layout.settings)
        values.push_back(bench::one_line(value_of(column.head, record.axes, record.cache)));
    return values;
}

std::string RunTable::label_of(CaseRecord const& record) const {
    TableLayout const& layout = layouts_.at(record.experiment);
    std::string text = record.variant + " on " + record.machine;
    std::vector<std::string> const values = values_of(layout, record);
    for (std::size_t i = 0; i < values.size(); ++i)
        text += ", " + layout.settings[i].head + " " + values[i];
    return text;
}

void RunTable::print_heads(TableLayout const& layout) {
    std::string line(2 * std::to_string(total_).size() + 5, ' ');
    if (!layout.is_headed) {
        for (TableLayout::Column const& column : layout.settings)
            line += padded(cut(column.head, column.width), column.width) + "  ";
    }
    line += padded("variant", layout.variant_width) + "  " + padded("machine", layout.machine_width);
    line += "  " + padded("median", time_width, true) + "  " + padded("noise", noise_width, true);
    if (!layout.item.empty())
        line += "  " + padded(layout.item, rate_width, true);
    if (layout.has_share)
        line += "  " + padded("memory", share_width, true);
    if (layout.has_speed)
        line += "  " + padded("speed", speed_width, true);
    out_ << terminal_.coloured(line, Colour::bold) << "\n";
}

void RunTable::begin_experiment(std::string const& experiment) {
    if (!experiment_.empty())
        out_ << "\n";
    experiment_ = experiment;
    heading_.clear();
    TableLayout const& layout = layouts_.at(experiment);
    auto const say = [&](std::string const& text) {
        out_ << wrapped_after(0, 2, bench::one_line(text), terminal_.width) << "\n";
    };
    say(experiment + ", " + std::to_string(layout.cases) + (layout.cases == 1 ? " case" : " cases") +
        (layout.constant.empty() ? "" : ", all with " + layout.constant));
    if (layout.has_speed)
        say("speed: times as fast as " + layout.baseline + " in the same setting");
    if (layout.has_share)
        say("memory: bytes per second as a share of the " + format_quantity(comparison_.copy_limit()) +
            "B/s that a copy reaches (./lockstep limits)");
    print_heads(layout);
}

std::string RunTable::front_of(TableLayout const& layout, CaseRecord const& record) const {
    std::string const total = std::to_string(total_);
    std::string line = padded(fmt::format("[{}/{}]", done_, total), 2 * total.size() + 3, true) + "  ";
    if (!layout.is_headed) {
        std::vector<std::string> const values = values_of(layout, record);
        for (std::size_t i = 0; i < values.size(); ++i)
            line += padded(cut(values[i], layout.settings[i].width), layout.settings[i].width) + "  ";
    }
    return line + padded(cut(record.variant, layout.variant_width), layout.variant_width) + "  " +
           padded(record.machine, layout.machine_width);
}

std::string RunTable::measured(TableLayout const& layout, CaseRecord const& record) {
    std::string line = "  " + padded(format_seconds(record.time->median), time_width, true) + "  " +
                       padded(percent_text(record.noise), noise_width, true);
    if (!layout.item.empty()) {
        std::string const rate =
            record.work.items > 0 ? format_quantity(record.work.items / record.time->median) : std::string("-");
        line += "  " + padded(rate, std::max(rate_width, layout.item.size()), true);
    }
    if (layout.has_share) {
        std::optional<double> const share = comparison_.share(record);
        line += "  " + padded(share ? percent_text(*share) : "-", share_width, true);
    }
    if (layout.has_speed) {
        std::optional<double> const speed = comparison_.speed(record);
        line += "  " + padded(speed ? times_text(*speed) : "-", speed_width, true);
    }
    std::string marks;
    if (record.extrapolated)
        marks += 'e';
    if (record.verified_units != record.units_total)
        marks += 's';
    has_extrapolated_ = has_extrapolated_ || record.extrapolated;
    has_sample_ = has_sample_ || record.verified_units != record.units_total;
    return marks.empty() ? line : line + " " + marks;
}

void RunTable::finished(CaseRecord const& given) {
    CaseRecord const& record = comparison_.add(given);
    ++done_;
    if (record.experiment != experiment_)
        begin_experiment(record.experiment);
    TableLayout const& layout = layouts_.at(record.experiment);
    if (layout.is_headed) {
        std::vector<std::string> parts;
        std::vector<std::string> const values = values_of(layout, record);
        for (std::size_t i = 0; i < values.size(); ++i)
            parts.push_back(layout.settings[i].head + " " + values[i]);
        if (std::string const heading = bench::joined(parts); heading != heading_) {
            out_ << wrapped_after(0, 2, heading, terminal_.width) << "\n";
            heading_ = heading;
        }
    }
    std::string const front = front_of(layout, record);
    if (record.time) {
        out_ << front << measured(layout, record) << std::endl;
        return;
    }
    std::size_t const taken = bench::length_of(front) + 2;
    std::string const status = cut(status_text(record), std::max<std::size_t>(20, terminal_.width - taken));
    out_ << front << "  " << terminal_.coloured(status, colour_of(record.status)) << std::endl;
}

void RunTable::print_problems(std::vector<bench::RefusedSetting> const& refused) {
    Problems problems;
    for (CaseRecord const& record : comparison_.records()) {
        if (record.status != Status::ok && record.status != Status::not_timed)
            problems.add(status_text(record), colour_of(record.status), label_of(record));
    }
    for (bench::RefusedSetting const& setting : refused) {
        std::vector<std::string> parts;
        for (bench::Axis const& axis : setting.experiment->axes) {
            std::string const& value = setting.axes.text(axis.name);
            if (value != axis.default_value)
                parts.push_back(axis.name + " " + bench::one_line(value));
        }
        problems.add("refused: " + bench::message_line(setting.reason), Colour::yellow,
                     setting.experiment->name + " with " + bench::joined(parts));
    }
    if (problems.in_order.empty())
        return;
    out_ << "\n" << terminal_.coloured("Not measured", Colour::bold) << "\n";
    for (std::size_t number = 0; number < std::min(problems.in_order.size(), max_reasons); ++number) {
        auto const& [reason, colour] = problems.in_order[number];
        out_ << "  " << terminal_.coloured(wrapped_after(2, 4, reason, terminal_.width), colour) << "\n";
        std::vector<std::string> const& labels = problems.labels.at(reason);
        for (std::size_t i = 0; i < std::min(labels.size(), max_named); ++i)
            out_ << "    " << wrapped_after(4, 6, labels[i], terminal_.width) << "\n";
        if (labels.size() > max_named)
            out_ << "    and " << labels.size() - max_named << " more\n";
    }
    if (problems.in_order.size() > max_reasons)
        out_ << "  and " << problems.in_order.size() - max_reasons << " more reasons\n";
}

void RunTable::print_ranking() {
    std::vector<Ranked> ranking = comparison_.ranking();
    std::erase_if(ranking, [](Ranked const& ranked) { return ranked.next == nullptr; });
    if (ranking.empty())
        return;
    out_ << "\n" << terminal_.coloured("Fastest of each setting", Colour::bold) << "\n";
    std::string experiment, heading;
    std::size_t printed = 0;
    for (Ranked const& ranked : ranking) {
        if (printed == max_ranked)
            break;
        CaseRecord const& best = *ranked.best;
        TableLayout const& layout = layouts_.at(best.experiment);
        // "1.80x " before the name of a variant.
        std::size_t const other_width = std::max<std::size_t>(16, layout.variant_width + 7);
        std::size_t const width = 2 + columns_width(layout) + 2 + time_width + 2 * (2 + other_width);
        bool const in_columns = !layout.is_headed && width <= terminal_.width;
        std::string setting, heads = "  ";
        std::vector<std::string> const values = values_of(layout, best);
        for (std::size_t i = 0; i < values.size(); ++i) {
            TableLayout::Column const& column = layout.settings[i];
            heads += in_columns ? padded(cut(column.head, column.width), column.width) + "  " : "";
            setting += in_columns ? padded(cut(values[i], column.width), column.width) + "  "
                                  : (i == 0 ? "" : ", ") + column.head + " " + values[i];
        }
        if (best.experiment != experiment) {
            experiment = best.experiment;
            heads += padded("fastest", layout.variant_width) + "  " + padded("machine", layout.machine_width) + "  " +
                     padded("median", time_width, true) + "  " + padded("against next", other_width) +
                     (layout.has_speed ? "  against baseline" : "");
            out_ << terminal_.coloured(cut(heads, terminal_.width), Colour::bold) << "\n";
        }
        if (!in_columns && setting != heading) {
            out_ << "  " << wrapped_after(2, 4, setting, terminal_.width) << "\n";
            heading = setting;
        }
        std::string line = "  " + (in_columns ? setting : "");
        line +=
            terminal_.coloured(padded(cut(best.variant, layout.variant_width), layout.variant_width), Colour::green);
        line += "  " + padded(best.machine, layout.machine_width) + "  " +
                padded(format_seconds(best.time->median), time_width, true) + "  ";
        std::string const next = comparison_text(best, ranked.next);
        line += layout.has_speed ? padded(next, other_width) + "  " + comparison_text(best, ranked.baseline) : next;
        out_ << line << "\n";
        ++printed;
    }
    if (ranking.size() > printed)
        out_ << "  and " << ranking.size() - printed << " more settings\n";
}

void RunTable::print_counts(std::size_t const left_out, std::size_t const refused) {
    std::map<Status, std::size_t> counts;
    for (CaseRecord const& record : comparison_.records())
        ++counts[record.status];
    std::vector<std::string> parts;
    for (Status const status :
         {Status::ok, Status::not_timed, Status::refused, Status::disagrees, Status::failed, Status::not_verified}) {
        std::string name(bench::to_string(status));
        std::replace(name.begin(), name.end(), '_', ' ');
        if (counts[status] > 0)
            parts.push_back(std::to_string(counts[status]) + " " + name);
    }
    if (left_out > 0)
        parts.push_back(std::to_string(left_out) + " skipped: already in the results");
    if (refused > 0)
        parts.push_back(std::to_string(refused) + (refused == 1 ? " setting" : " settings") + " refused");
    if (!parts.empty())
        out_ << "\n" << wrapped_after(0, 2, bench::joined(parts), terminal_.width) << "\n";
}

void RunTable::end(std::vector<bench::RefusedSetting> const& refused, std::size_t const left_out) {
    if (has_extrapolated_)
        out_ << "e: extrapolated from a part of the units\n";
    if (has_sample_)
        out_ << "s: only a sample of the units is verified\n";
    print_problems(refused);
    print_ranking();
    print_counts(left_out, refused.size());
}

}  // namespace lockstep::cli
