#include "harness/cli/table_layout.hpp"

#include <algorithm>
#include <set>

#include "harness/bench/nearest.hpp"
#include "harness/bench/utf8.hpp"

namespace lockstep::cli {

namespace {

constexpr std::size_t max_setting_width = 24;
constexpr std::size_t max_variant_width = 32;

std::size_t measured_width(TableLayout const& layout) {
    return 2 + time_width + 2 + noise_width + (layout.item.empty() ? 0 : 2 + std::max(rate_width, layout.item.size())) +
           (layout.has_share ? 2 + share_width : 0) + (layout.has_speed ? 2 + speed_width : 0) + 3;
}

void add_settings(TableLayout& layout, std::vector<bench::PlannedCase const*> const& cases) {
    std::vector<std::string> constant;
    bench::Experiment const& experiment = *cases.front()->experiment;
    auto const add = [&](std::string const& name, std::string const& usual) {
        std::set<std::string> values;
        std::size_t width = bench::length_of(name);
        for (bench::PlannedCase const* const planned : cases) {
            std::string const& value = value_of(name, planned->problem.axes, planned->cache);
            values.insert(value);
            width = std::max(width, bench::length_of(value));
        }
        if (values.size() > 1)
            layout.settings.push_back({name, std::min(width, max_setting_width)});
        else if (*values.begin() != usual)
            constant.push_back(name + " " + *values.begin());
    };
    for (bench::Axis const& axis : experiment.axes)
        add(axis.name, axis.default_value);
    if (std::none_of(experiment.axes.begin(), experiment.axes.end(),
                     [](bench::Axis const& axis) { return axis.name == "cache"; }))
        add("cache", "hot");
    layout.constant = bench::joined(constant);
}

}  // namespace

std::string const& value_of(std::string const& column, bench::Axes const& axes, std::string const& cache) {
    return column == "cache" && !axes.has("cache") ? cache : axes.text(column);
}

std::size_t columns_width(TableLayout const& layout) {
    std::size_t width = layout.variant_width + 2 + layout.machine_width;
    for (TableLayout::Column const& column : layout.settings)
        width += layout.is_headed ? 0 : column.width + 2;
    return width;
}

TableLayout layout_of(std::vector<bench::PlannedCase const*> const& cases, Comparison const& comparison,
                      std::size_t width) {
    TableLayout layout;
    layout.cases = cases.size();
    add_settings(layout, cases);
    for (bench::PlannedCase const* const planned : cases) {
        layout.variant_width = std::max(layout.variant_width, planned->variant->name.size());
        layout.machine_width = std::max(layout.machine_width, simt::to_string(planned->variant->machine).size());
    }
    layout.variant_width = std::min(layout.variant_width, max_variant_width);
    bench::Experiment const& experiment = *cases.front()->experiment;
    std::vector<std::string> const baselines = comparison.baselines(experiment.name);
    layout.has_speed = !baselines.empty();
    layout.baseline = baselines.size() > 3 ? "the baseline" : bench::joined(baselines, ", ");
    layout.has_share = comparison.has_limit();
    layout.item = experiment.item.empty() ? "" : experiment.item + "/s";
    layout.is_headed = width < columns_width(layout) + measured_width(layout);
    // In a narrow terminal, less is measured.
    if (width < columns_width(layout) + measured_width(layout))
        layout.item.clear();
    if (width < columns_width(layout) + measured_width(layout))
        layout.has_share = false;
    return layout;
}

}  // namespace lockstep::cli
