#include "harness/cli/experiment_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/bench/nearest.hpp"
#include "harness/bench/plan.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/terminal.hpp"

namespace lockstep::cli {

namespace {

using Cells = std::vector<std::string>;

// Rows in columns as wide as their widest cell. The last column is wrapped.
std::string columns_text(std::vector<Cells> const& rows, std::size_t const width) {
    std::vector<std::size_t> widths(rows.front().size());
    for (Cells const& row : rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (Cells const& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            line += padded(row[i], widths[i]) + "  ";
        text += line + wrapped_after(line.size(), line.size(), row.back(), width) + "\n";
    }
    return text;
}

std::string reference_text(bench::Variant const& variant) {
    if (variant.chosen)
        return "(by choice)";
    return variant.reference.empty() ? "-" : variant.reference;
}

}  // namespace

std::vector<VariantLine> variant_lines(bench::Experiment const& experiment) {
    std::vector<VariantLine> lines;
    for (bench::Variant const& variant : experiment.variants) {
        // `dense` is the reference on the CPU and a contestant on the GPU.
        auto const same = std::find_if(lines.begin(), lines.end(), [&](VariantLine const& line) {
            bench::Variant const& other = *line.first;
            return other.name == variant.name && other.role == variant.role && other.reference == variant.reference &&
                   other.description == variant.description;
        });
        std::string const machine(simt::to_string(variant.machine));
        if (same != lines.end()) {
            same->machines.push_back(machine);
            continue;
        }
        // Variants of one name stand together.
        auto place = std::find_if(lines.rbegin(), lines.rend(), [&](VariantLine const& line) {
                         return line.first->name == variant.name;
                     }).base();
        lines.insert(place == lines.begin() ? lines.end() : place, {&variant, {machine}});
    }
    return lines;
}

std::vector<bench::Sweep> sweeps_of(Program const& program, bench::Experiment const& experiment) {
    std::filesystem::path const file = sweeps_file(program, experiment);
    std::error_code error;
    return std::filesystem::exists(file, error) ? bench::read_sweeps(file) : std::vector<bench::Sweep>();
}

CaseCounts case_counts(bench::Experiment const& experiment, bench::Sweep const& sweep) {
    CaseCounts counts;
    for (bench::Machine const machine : {bench::Machine::cpu, bench::Machine::emulator, bench::Machine::cuda}) {
        if (std::size_t const count = bench::count_cases(experiment, sweep, machine); count > 0)
            counts.emplace_back(simt::to_string(machine), count);
    }
    return counts;
}

std::string_view kind_name(bench::Axis::Kind const kind) {
    switch (kind) {
        case bench::Axis::Kind::integer:
            return "integer";
        case bench::Axis::Kind::real:
            return "real";
        case bench::Axis::Kind::text:
            return "text";
    }
    return "";
}

std::string axis_form(bench::Axis const& axis) {
    if (axis.kind == bench::Axis::Kind::text)
        return axis.allowed.empty() ? "text" : bench::joined(axis.allowed);
    return fmt::format("{} from {:.15g} to {:.15g}", kind_name(axis.kind), axis.minimum, axis.maximum);
}

std::vector<std::string> axis_examples(bench::Axis const& axis, std::vector<bench::Sweep> const& sweeps) {
    constexpr std::size_t wanted = 3;
    constexpr std::size_t longest = 24;
    std::vector<std::string> examples;
    for (bench::Sweep const& sweep : sweeps) {
        auto const found = sweep.axes.find(axis.name);
        if (found == sweep.axes.end())
            continue;
        for (std::string const& value : found->second) {
            std::string word;
            for (char const c : value)
                word += c == ',' ? std::string("\\,") : std::string(1, c);
            bool const known = std::find(examples.begin(), examples.end(), word) != examples.end();
            if (examples.size() < wanted && !known && value != axis.default_value && word.size() <= longest)
                examples.push_back(word);
        }
    }
    return examples;
}

std::string variants_text(bench::Experiment const& experiment, std::size_t const width) {
    std::vector<Cells> rows = {{"variant", "role", "machines", "reference", "description"}};
    for (VariantLine const& line : variant_lines(experiment)) {
        bench::Variant const& variant = *line.first;
        rows.push_back({variant.name, std::string(bench::to_string(variant.role)), bench::joined(line.machines),
                        reference_text(variant), variant.description});
    }
    return columns_text(rows, width);
}

std::string sweeps_text(bench::Experiment const& experiment, std::vector<bench::Sweep> const& sweeps,
                        std::size_t const width) {
    std::vector<Cells> rows = {{"sweep", "presets", "cases", "what for"}};
    for (bench::Sweep const& sweep : sweeps) {
        std::vector<std::string> counts;
        for (auto const& [machine, count] : case_counts(experiment, sweep))
            counts.push_back(std::to_string(count) + " " + machine);
        rows.push_back({sweep.name, sweep.presets.empty() ? "-" : bench::joined(sweep.presets),
                        counts.empty() ? "-" : bench::joined(counts), sweep.title});
    }
    return columns_text(rows, width);
}

std::string axes_text(bench::Experiment const& experiment, std::size_t const width) {
    std::vector<Cells> rows = {{"axis", "default", "description"}};
    for (bench::Axis const& axis : experiment.axes)
        rows.push_back({axis.name, axis.default_value, axis.description + " (" + axis_form(axis) + ")"});
    return columns_text(rows, width);
}

}  // namespace lockstep::cli
