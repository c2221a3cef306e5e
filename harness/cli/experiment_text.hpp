#pragma once
// Tables of an experiment's variants, sweeps and axes, for `list` and `run EXPERIMENT --help`.

#include <string>
#include <vector>

#include "harness/bench/sweep.hpp"
#include "harness/bench/variant.hpp"
#include "harness/cli/commands.hpp"

namespace lockstep::cli {

// Variants that differ only in their machine.
struct VariantLine {
    bench::Variant const* first = nullptr;
    std::vector<std::string> machines;
};
std::vector<VariantLine> variant_lines(bench::Experiment const& experiment);

// The sweeps in the source tree; none if it has no such file.
std::vector<bench::Sweep> sweeps_of(Program const& program, bench::Experiment const& experiment);

// The number of cases of a sweep on each machine that has some.
using CaseCounts = std::vector<std::pair<std::string, std::size_t>>;
CaseCounts case_counts(bench::Experiment const& experiment, bench::Sweep const& sweep);

// "integer from 1 to 100", "plain, fancy" or "text".
std::string axis_form(bench::Axis const& axis);
std::string_view kind_name(bench::Axis::Kind kind);

// Values of an axis in the sweeps that differ from its default, as a command line has them: at most three.
std::vector<std::string> axis_examples(bench::Axis const& axis, std::vector<bench::Sweep> const& sweeps);

// Tables with a head, indented by two, in lines of at most `width` columns where words allow.
std::string variants_text(bench::Experiment const& experiment, std::size_t width);
std::string sweeps_text(bench::Experiment const& experiment, std::vector<bench::Sweep> const& sweeps,
                        std::size_t width);
std::string axes_text(bench::Experiment const& experiment, std::size_t width);

}  // namespace lockstep::cli
