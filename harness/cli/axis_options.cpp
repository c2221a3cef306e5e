#include "harness/cli/axis_options.hpp"

#include "harness/bench/axes.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::cli {

void add_axes(CommandLine& line, std::vector<bench::Axis> const& axes, AxisTexts& texts) {
    for (bench::Axis const& axis : axes) {
        auto const [entry, absent] = texts.try_emplace(axis.name);
        std::string& text = entry->second;
        if (!absent && text.empty())
            continue;  // another experiment has added this option
        std::string values;
        if (text.empty())
            values = "default " + axis.default_value;  // otherwise the command line states it
        if (!axis.allowed.empty())
            values += (values.empty() ? "one of " : "; one of ") + bench::joined(axis.allowed);
        line.add_option("--" + axis.name, text, axis.description + (values.empty() ? "" : " (" + values + ")"));
    }
}

std::vector<bench::Axis> axes_named(bench::Experiment const& experiment, std::vector<std::string> const& names) {
    std::vector<bench::Axis> axes;
    for (std::string const& name : names)
        axes.push_back(bench::find_axis(experiment, name));
    return axes;
}

bench::Axes axes_from(bench::Experiment const& experiment, AxisTexts const& texts) {
    bench::Axes axes = bench::default_axes(experiment);
    for (auto const& [name, text] : texts) {
        if (!text.empty())
            bench::set_axis(experiment, axes, name, text);
    }
    return axes;
}

}  // namespace lockstep::cli
