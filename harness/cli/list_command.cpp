// lockstep list: experiments with their variants, sweeps and axes, for people and (--json) for scripts.

#include <unistd.h>

#include <algorithm>
#include <ostream>

#include "harness/bench/axes.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/experiment_text.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/terminal.hpp"

namespace lockstep::cli {

namespace {

using bench::Axis;
using bench::Experiment;
using bench::Variant;

void print_experiment(Program const& program, Experiment const& experiment, std::ostream& out) {
    Terminal const terminal = terminal_of(STDOUT_FILENO);
    std::size_t const width = terminal.width;
    out << terminal.coloured(experiment.name, Colour::bold) << "\n";
    for (std::string const& text : {experiment.title, experiment.paper})
        out << "  " << wrapped_after(2, 2, text, width) << "\n";
    out << variants_text(experiment, width);
    std::vector<bench::Sweep> const sweeps = sweeps_of(program, experiment);
    if (!sweeps.empty())
        out << "\n" << sweeps_text(experiment, sweeps, width);
    out << "\n" << axes_text(experiment, width);
}

std::string variant_json(VariantLine const& line) {
    Variant const& variant = *line.first;
    return json_object({{"name", json_text(variant.name)},
                        {"role", json_text(bench::to_string(variant.role))},
                        {"machines", json_texts(line.machines)},
                        {"reference", json_text(variant.reference)},
                        {"description", json_text(variant.description)}});
}

std::string axis_json(Axis const& axis) {
    return json_object({{"name", json_text(axis.name)},
                        {"kind", json_text(kind_name(axis.kind))},
                        {"default", json_text(axis.default_value)},
                        {"allowed", json_texts(axis.allowed)},
                        {"description", json_text(axis.description)}});
}

std::string sweep_json(Experiment const& experiment, bench::Sweep const& sweep) {
    std::vector<JsonMember> counts;
    for (auto const& [machine, count] : case_counts(experiment, sweep))
        counts.emplace_back(machine, std::to_string(count));
    return json_object({{"name", json_text(sweep.name)},
                        {"title", json_text(sweep.title)},
                        {"presets", json_texts(sweep.presets)},
                        {"cases", json_object(counts)}});
}

std::string experiment_json(Program const& program, Experiment const& experiment) {
    std::vector<std::string> variants, sweeps, axes;
    for (VariantLine const& line : variant_lines(experiment))
        variants.push_back(variant_json(line));
    for (bench::Sweep const& sweep : sweeps_of(program, experiment))
        sweeps.push_back(sweep_json(experiment, sweep));
    for (Axis const& axis : experiment.axes)
        axes.push_back(axis_json(axis));
    return json_object({{"name", json_text(experiment.name)},
                        {"title", json_text(experiment.title)},
                        {"paper", json_text(experiment.paper)},
                        {"unit", json_text(experiment.unit)},
                        {"item", json_text(experiment.item)},
                        {"axes", json_lines(axes)},
                        {"sweeps", json_lines(sweeps)},
                        {"variants", json_lines(variants)}});
}

}  // namespace

std::vector<Experiment const*> chosen_experiments(Program const& program, std::vector<std::string> const& names) {
    std::vector<Experiment const*> chosen;
    std::vector<std::string> known;
    for (Experiment const& experiment : program.experiments)
        known.push_back(experiment.name);
    for (std::string const& name : names)
        bench::require_known("experiment", name, known);
    for (Experiment const& experiment : program.experiments) {
        bool const wanted = names.empty() || std::find(names.begin(), names.end(), experiment.name) != names.end();
        if (wanted)
            chosen.push_back(&experiment);
    }
    return chosen;
}

int list_command(Program const& program, ListOptions const& options, std::ostream& out) {
    std::vector<Experiment const*> const chosen = chosen_experiments(program, options.experiments);
    if (!options.json) {
        for (Experiment const* const experiment : chosen) {
            if (experiment != chosen.front())
                out << "\n";
            print_experiment(program, *experiment, out);
        }
        return 0;
    }
    std::vector<std::string> parts;
    for (Experiment const* const experiment : chosen)
        parts.push_back(experiment_json(program, *experiment));
    print_json(json_document({{"experiments", json_lines(parts)}}));
    return 0;
}

}  // namespace lockstep::cli
