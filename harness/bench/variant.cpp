#include "harness/bench/variant.hpp"

#include <algorithm>
#include <set>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::bench {

namespace {

// Options of `run`; an axis of the same name would be ambiguous.
constexpr char const* reserved_names[] = {"sweep", "preset", "variant", "machine", "repetitions", "seed",
                                          "shard", "out",    "cache",   "dry-run", "help",        "version"};

void check_variant(Experiment const& experiment, Variant const& variant) {
    std::string const who = "variant " + variant.name + " of " + experiment.name;
    if (!variant.make)
        throw Error(who + " cannot run", "it has no make function");
    if (!variant.reference.empty())
        experiment.reference(variant.reference);
}

}  // namespace

std::string_view to_string(Role const role) {
    switch (role) {
        case Role::reference:
            return "reference";
        case Role::contender:
            return "contender";
        case Role::baseline:
            return "baseline";
        case Role::paper:
            return "paper";
        case Role::ours:
            return "ours";
    }
    throw std::invalid_argument("unknown role");
}

std::uint64_t Case::digest() {
    std::uint64_t sum = 0;
    std::uint64_t const chunk = 4096;
    std::vector<std::uint64_t> units;
    for (std::uint64_t done = 0; done < problem_.units; done += units.size()) {
        units.clear();
        for (std::uint64_t i = done; i < std::min(done + chunk, problem_.units); ++i) {
            units.push_back(problem_.first_unit + i);
        }
        std::vector<UnitResult> const found = results(units);
        for (std::size_t i = 0; i < units.size(); ++i)
            sum += unit_digest(units[i], found.at(i));
    }
    return sum;
}

Reference const& Experiment::reference(std::string const& wanted) const {
    std::vector<std::string> names;
    for (Reference const& candidate : references) {
        if (candidate.name == wanted)
            return candidate;
        names.push_back(candidate.name);
    }
    throw Error("unknown reference " + wanted, "experiment " + name + " does not define it", suggestion(wanted, names));
}

void check_experiment(Experiment const& experiment) {
    std::set<std::string> names;
    for (Axis const& axis : experiment.axes) {
        bool const reserved =
            std::find(std::begin(reserved_names), std::end(reserved_names), axis.name) != std::end(reserved_names);
        if (reserved)
            throw Error("invalid axis " + axis.name, "an option of the program has this name");
        if (!names.insert(axis.name).second)
            throw Error("invalid axis " + axis.name, experiment.name + " has it twice");
        check_axis_value(axis, axis.default_value);
    }
    names.clear();
    for (Reference const& reference : experiment.references) {
        if (!names.insert(reference.name).second) {
            throw Error("invalid reference " + reference.name, experiment.name + " has it twice");
        }
    }
    names.clear();
    for (Variant const& variant : experiment.variants) {
        std::string const key = variant.name + " on " + std::string(simt::to_string(variant.machine));
        if (!names.insert(key).second)
            throw Error("invalid variant " + key, experiment.name + " has it twice");
        check_variant(experiment, variant);
    }
    if (!experiment.units)
        throw Error("invalid experiment " + experiment.name, "it has no units function");
}

}  // namespace lockstep::bench
