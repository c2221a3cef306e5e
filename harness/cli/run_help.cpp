#include "harness/cli/run_help.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "harness/bench/nearest.hpp"
#include "harness/cli/experiment_text.hpp"
#include "harness/cli/terminal.hpp"

namespace lockstep::cli {

namespace {

bool is_given(int const argc, char const* const* const argv, std::string_view const word) {
    return std::any_of(argv, argv + argc, [&](std::string_view const other) { return other == word; });
}

std::string axis_help(bench::Axis const& axis, std::vector<bench::Sweep> const& sweeps) {
    std::string help = axis.description + " (axis; default " + axis.default_value;
    if (!axis.allowed.empty())
        help += "; one of " + bench::joined(axis.allowed);
    else if (axis.kind != bench::Axis::Kind::text)
        help += "; " + axis_form(axis);
    std::vector<std::string> const examples = axis_examples(axis, sweeps);
    if (axis.allowed.empty() && !examples.empty())
        help += "; for example " + bench::joined(examples);
    return help + ")";
}

std::string list_of_experiments(Program const& program) {
    std::string text = "Experiments (./lockstep run EXPERIMENT --help shows the axes, variants and sweeps of one):\n";
    std::size_t longest = 0;
    for (bench::Experiment const& experiment : program.experiments)
        longest = std::max(longest, experiment.name.size());
    for (bench::Experiment const& experiment : program.experiments)
        text += "  " + padded(experiment.name, longest) + "  " + experiment.title + "\n";
    return text;
}

std::string tables_of(bench::Experiment const& experiment, std::vector<bench::Sweep> const& sweeps) {
    std::size_t const width = terminal_of(STDOUT_FILENO).width;
    return "Variants of " + experiment.name + ":\n" + variants_text(experiment, width) + "\nSweeps of " +
           experiment.name + ":\n" + sweeps_text(experiment, sweeps, width);
}

}  // namespace

void add_run_axes(CommandLine& line, Program const& program, int const argc, char const* const* const argv,
                  AxisTexts& texts) {
    if (!is_given(argc, argv, "--help") && !is_given(argc, argv, "-h")) {
        for (bench::Experiment const& experiment : program.experiments)
            add_axes(line, experiment.axes, texts);
        return;
    }
    std::string footer;
    for (bench::Experiment const& experiment : program.experiments) {
        if (!is_given(argc, argv, experiment.name))
            continue;
        std::vector<bench::Sweep> const sweeps = sweeps_of(program, experiment);
        line.begin_group("Options for the axes of " + experiment.name +
                         " (several values are separated by commas; \\, is a comma in a value)");
        for (bench::Axis const& axis : experiment.axes) {
            // Experiments that are shown together can have an axis of the same name.
            if (texts.count(axis.name) == 0)
                line.add_option("--" + axis.name, texts[axis.name], axis_help(axis, sweeps));
        }
        footer += (footer.empty() ? "" : "\n") + tables_of(experiment, sweeps);
    }
    line.add_footer(footer.empty() ? list_of_experiments(program) : footer);
}

}  // namespace lockstep::cli
