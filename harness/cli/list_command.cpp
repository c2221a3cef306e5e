// lockstep list: experiments, their variants and axes, for people and (--json) for scripts.

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "harness/bench/axes.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/cli/builtin.hpp"

namespace lockstep::cli {

namespace {

using bench::Axis;
using bench::Experiment;
using bench::Variant;

// Variants with the same name on several machines share one line.
struct VariantLine {
    Variant const* first = nullptr;
    std::vector<std::string> machines;
};

std::vector<VariantLine> variant_lines(Experiment const& experiment) {
    std::vector<VariantLine> lines;
    for (Variant const& variant : experiment.variants) {
        auto const same = std::find_if(lines.begin(), lines.end(),
                                       [&](VariantLine const& line) { return line.first->name == variant.name; });
        std::string const machine(simt::to_string(variant.machine));
        if (same == lines.end()) {
            lines.push_back({&variant, {machine}});
        } else {
            same->machines.push_back(machine);
        }
    }
    return lines;
}

std::string_view kind_name(Axis::Kind const kind) {
    switch (kind) {
        case Axis::Kind::integer:
            return "integer";
        case Axis::Kind::real:
            return "real";
        case Axis::Kind::text:
            return "text";
    }
    return "";
}

std::string axis_range(Axis const& axis) {
    if (axis.kind == Axis::Kind::text)
        return axis.allowed.empty() ? "text" : bench::joined(axis.allowed);
    return fmt::format("{} from {:.15g} to {:.15g}", kind_name(axis.kind), axis.minimum, axis.maximum);
}

void print_experiment(Experiment const& experiment, std::ostream& out) {
    out << experiment.name << "\n  " << experiment.title << "\n  " << experiment.paper << "\n";
    std::vector<VariantLine> const lines = variant_lines(experiment);
    std::size_t name_width = 7, role_width = 9, machine_width = 8, reference_width = 9;
    for (VariantLine const& line : lines) {
        name_width = std::max(name_width, line.first->name.size());
        machine_width = std::max(machine_width, bench::joined(line.machines).size());
        reference_width = std::max(reference_width, line.first->reference.size());
    }
    auto const row = [&](auto const& name, auto const& role, auto const& machines, auto const& reference,
                         auto const& description) {
        out << fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", name, name_width, role, role_width, machines,
                           machine_width, reference, reference_width, description);
    };
    row("variant", "role", "machines", "reference", "description");
    for (VariantLine const& line : lines) {
        Variant const& variant = *line.first;
        row(variant.name, bench::to_string(variant.role), bench::joined(line.machines),
            variant.reference.empty() ? std::string("-") : variant.reference, variant.description);
    }
    std::size_t axis_width = 4, default_width = 7;
    for (Axis const& axis : experiment.axes) {
        axis_width = std::max(axis_width, axis.name.size());
        default_width = std::max(default_width, axis.default_value.size());
    }
    out << fmt::format("\n  {:<{}}  {:<{}}  description\n", "axis", axis_width, "default", default_width);
    for (Axis const& axis : experiment.axes) {
        out << fmt::format("  {:<{}}  {:<{}}  {} ({})\n", axis.name, axis_width, axis.default_value, default_width,
                           axis.description, axis_range(axis));
    }
}

std::string json_text(std::string_view const text) {
    std::string result = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string json_list(std::vector<std::string> const& words) {
    std::vector<std::string> parts;
    for (std::string const& word : words)
        parts.push_back(json_text(word));
    return "[" + bench::joined(parts) + "]";
}

std::string variant_json(VariantLine const& line) {
    Variant const& variant = *line.first;
    return fmt::format(R"({{"name": {}, "role": {}, "machines": {}, "reference": {}, "description": {}}})",
                       json_text(variant.name), json_text(bench::to_string(variant.role)), json_list(line.machines),
                       json_text(variant.reference), json_text(variant.description));
}

std::string axis_json(Axis const& axis) {
    return fmt::format(R"({{"name": {}, "kind": {}, "default": {}, "allowed": {}, "description": {}}})",
                       json_text(axis.name), json_text(kind_name(axis.kind)), json_text(axis.default_value),
                       json_list(axis.allowed), json_text(axis.description));
}

std::string experiment_json(Experiment const& experiment) {
    std::vector<std::string> variants, axes;
    for (VariantLine const& line : variant_lines(experiment))
        variants.push_back("    " + variant_json(line));
    for (Axis const& axis : experiment.axes)
        axes.push_back("    " + axis_json(axis));
    return fmt::format(
        "  {{\"name\": {}, \"title\": {}, \"paper\": {}, \"unit\": {}, \"item\": {},\n"
        "   \"axes\": [\n{}],\n   \"variants\": [\n{}]}}",
        json_text(experiment.name), json_text(experiment.title), json_text(experiment.paper),
        json_text(experiment.unit), json_text(experiment.item), bench::joined(axes, ",\n"),
        bench::joined(variants, ",\n"));
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
            print_experiment(*experiment, out);
        }
        return 0;
    }
    std::vector<std::string> parts;
    for (Experiment const* const experiment : chosen)
        parts.push_back(experiment_json(*experiment));
    out << "{\"experiments\": [\n" << bench::joined(parts, ",\n") << "\n]}\n";
    return 0;
}

}  // namespace lockstep::cli
