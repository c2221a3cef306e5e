#include "harness/bench/plan.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/pattern.hpp"

namespace lockstep::bench {

namespace {

std::vector<std::string> variant_names(Experiment const& experiment) {
    std::vector<std::string> names;
    for (Variant const& variant : experiment.variants) {
        if (std::find(names.begin(), names.end(), variant.name) == names.end())
            names.push_back(variant.name);
    }
    return names;
}

// A regular expression over names of variants. Messages name its origin, such as "--variant".
class NamePattern {
public:
    NamePattern(std::string text, std::string origin)
        : text_(std::move(text)), origin_(std::move(origin)), pattern_(text_, origin_) {}

    bool matches(std::string const& name) const { return pattern_.matches(name); }

    // A pattern that matches no variant is a mistake.
    void require_match(Experiment const& experiment) const {
        std::vector<std::string> const names = variant_names(experiment);
        if (std::any_of(names.begin(), names.end(), [&](auto const& name) { return matches(name); }))
            return;
        throw Error(origin_ + " " + text_ + " matches nothing", "no variant of " + experiment.name + " has such a name",
                    suggestion(text_, names));
    }

private:
    std::string text_;
    std::string origin_;
    Pattern pattern_;
};

struct NameFilter {
    NamePattern wanted;
    std::optional<NamePattern> except;

    bool selects(std::string const& name) const { return wanted.matches(name) && !(except && except->matches(name)); }
    void require_matches(Experiment const& experiment) const {
        wanted.require_match(experiment);
        if (except)
            except->require_match(experiment);
    }
};

NameFilter filter_of(Selection const& selection) {
    NameFilter filter{{selection.variant.empty() ? ".*" : selection.variant, "--variant"}, std::nullopt};
    if (!selection.except.empty())
        filter.except.emplace(selection.except, "--except");
    return filter;
}

NameFilter filter_of(Sweep const& sweep) {
    std::string const origin = "sweep " + sweep.name + ": ";
    NameFilter filter{{sweep.variants.empty() ? ".*" : sweep.variants, origin + "variants"}, std::nullopt};
    if (!sweep.except.empty())
        filter.except.emplace(sweep.except, origin + "except");
    return filter;
}

std::vector<Sweep const*> chosen_sweeps(Experiment const& experiment, std::vector<Sweep> const& sweeps,
                                        Selection const& selection) {
    std::vector<Sweep const*> chosen;
    std::vector<std::string> names;
    for (Sweep const& sweep : sweeps)
        names.push_back(sweep.name);
    for (std::string const& name : selection.sweeps) {
        require_known("sweep of " + experiment.name, name, names);
        chosen.push_back(
            &sweeps[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())]);
    }
    if (!selection.sweeps.empty())
        return chosen;
    for (Sweep const& sweep : sweeps) {
        bool const wanted =
            std::find(sweep.presets.begin(), sweep.presets.end(), selection.preset) != sweep.presets.end();
        if (wanted)
            chosen.push_back(&sweep);
    }
    return chosen;
}

// A sweep that matches no variant is an error, unless it is for CUDA and this build has no CUDA variants.
void require_sweep_match(Experiment const& experiment, Sweep const& sweep, NameFilter const& filter) {
    bool const has_cuda = std::any_of(experiment.variants.begin(), experiment.variants.end(),
                                      [](Variant const& variant) { return variant.machine == Machine::cuda; });
    bool const for_cuda = std::find(sweep.machines.begin(), sweep.machines.end(), "cuda") != sweep.machines.end();
    if (has_cuda || !for_cuda)
        filter.require_matches(experiment);
}

bool has_role(Sweep const& sweep, Variant const& variant) {
    return sweep.roles.empty() ||
           std::find(sweep.roles.begin(), sweep.roles.end(), to_string(variant.role)) != sweep.roles.end();
}

// Which variants run in a sweep on one machine.
std::vector<Variant const*> chosen_variants(Experiment const& experiment, Sweep const& sweep, Machine const machine,
                                            NameFilter const& of_sweep, NameFilter const& of_user) {
    std::vector<Variant const*> chosen;
    for (Variant const& variant : experiment.variants) {
        if (variant.machine == machine && has_role(sweep, variant) && of_sweep.selects(variant.name) &&
            of_user.selects(variant.name))
            chosen.push_back(&variant);
    }
    return chosen;
}

// All tuples of the lists. Axes are in the experiment's order, and the last axis varies fastest.
std::vector<Axes> cross_product(Experiment const& experiment, AxisLists const& lists) {
    std::vector<Axes> tuples(1);
    for (Axis const& axis : experiment.axes) {
        auto const found = lists.find(axis.name);
        std::vector<std::string> const values =
            found == lists.end() ? std::vector<std::string>{axis.default_value} : found->second;
        std::vector<Axes> longer;
        for (Axes const& tuple : tuples) {
            for (std::string const& value : values) {
                longer.push_back(tuple);
                set_axis(experiment, longer.back(), axis.name, value);
            }
        }
        tuples = std::move(longer);
    }
    return tuples;
}

// Removes the tuples that the experiment rejects. They are added to `refused`, or are an error if it is null.
void remove_meaningless(Experiment const& experiment, std::vector<Axes>& tuples, std::vector<RefusedSetting>* refused) {
    std::erase_if(tuples, [&](Axes const& tuple) {
        try {
            experiment.check(tuple);
            return false;
        } catch (UnreadableInput const&) {
            throw;
        } catch (Error const& error) {
            if (refused == nullptr)
                throw;
            bool const known = std::any_of(refused->begin(), refused->end(),
                                           [&](RefusedSetting const& other) { return other.axes == tuple; });
            if (!known)
                refused->push_back({&experiment, tuple, error.what()});
            return true;
        }
    });
}

AxisLists lists_for(Experiment const& experiment, Sweep const& sweep, Machine const machine,
                    Selection const& selection) {
    AxisLists lists = sweep.axes;
    auto const special = sweep.per_machine.find(std::string(simt::to_string(machine)));
    if (special != sweep.per_machine.end()) {
        for (auto const& [name, values] : special->second)
            lists[name] = values;
    }
    for (auto const& entry : lists)
        find_axis(experiment, entry.first);
    for (auto const& [name, values] : selection.axes) {
        bool const has = std::any_of(experiment.axes.begin(), experiment.axes.end(),
                                     [&name = name](Axis const& axis) { return axis.name == name; });
        if (has)
            lists[name] = values;
    }
    return lists;
}

std::vector<Machine> machines_for(Sweep const& sweep, Selection const& selection) {
    if (selection.machines_are_explicit)
        return selection.machines;
    std::vector<Machine> machines;
    for (std::string const& name : sweep.machines) {
        Machine const machine = simt::machine_from_string(name);
        bool const here =
            std::find(selection.machines.begin(), selection.machines.end(), machine) != selection.machines.end();
        if (here)
            machines.push_back(machine);
    }
    return machines;
}

PlannedCase planned_case(Experiment const& experiment, Variant const& variant, Axes const& axes,
                         std::string const& cache, Selection const& selection) {
    PlannedCase planned;
    planned.experiment = &experiment;
    planned.variant = &variant;
    planned.cache = cache;
    planned.shard = selection.shard;
    Shard const& shard = selection.shard;
    Range const range = units_of(shard, experiment.units(axes));
    planned.problem = Problem{axes, selection.seed, range.first, range.units};
    planned.name =
        case_name(experiment, variant.name, simt::to_string(variant.machine), axes) + name_suffix(cache, shard);
    if (variant.machine == Machine::cpu)
        planned.max_seconds *= 0.3;  // CPU cases are numerous and their times vary little
    planned.exact_repetitions = selection.repetitions.has_value();
    return planned;
}

// Adds a case. If a case of that name exists, adds the sweep to it instead.
void add_case(std::vector<PlannedCase>& cases, PlannedCase planned, Sweep const& sweep, int const repetitions) {
    auto const same =
        std::find_if(cases.begin(), cases.end(), [&](PlannedCase const& other) { return other.name == planned.name; });
    if (same != cases.end()) {
        if (std::find(same->sweeps.begin(), same->sweeps.end(), sweep.name) == same->sweeps.end()) {
            same->sweeps.push_back(sweep.name);
        }
        same->repetitions = std::max(same->repetitions, repetitions);
        same->verify_every_unit = same->verify_every_unit || sweep.verify_every_unit;
        return;
    }
    planned.sweeps = {sweep.name};
    planned.repetitions = repetitions;
    planned.verify_every_unit = sweep.verify_every_unit;
    cases.push_back(std::move(planned));
}

void group_by_axes(std::vector<PlannedCase>& cases) {
    std::vector<Axes const*> seen;
    std::vector<std::pair<std::size_t, std::size_t>> keys;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        Axes const& axes = cases[i].problem.axes;
        auto const found = std::find_if(seen.begin(), seen.end(), [&](Axes const* other) { return *other == axes; });
        keys.emplace_back(static_cast<std::size_t>(found - seen.begin()), i);
        if (found == seen.end())
            seen.push_back(&axes);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<PlannedCase> sorted;
    for (auto const& key : keys)
        sorted.push_back(cases[key.second]);
    cases = std::move(sorted);
}

}  // namespace

Shard parse_shard(std::string const& text) {
    Shard shard;
    char const* const end = text.data() + text.size();
    auto const first = std::from_chars(text.data(), end, shard.index);
    bool good = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    if (good) {
        auto const second = std::from_chars(first.ptr + 1, end, shard.count);
        good = second.ec == std::errc() && second.ptr == end && shard.index < shard.count;
    }
    if (!good)
        throw Error("invalid shard " + text, "must be I/N with I from 0 to N-1", "for example --shard 0/4");
    return shard;
}

std::string label_of(Shard const& shard) { return std::to_string(shard.index) + "of" + std::to_string(shard.count); }

std::string name_suffix(std::string const& cache, Shard const& shard) {
    std::string const label = shard.count > 1 ? "/shard:" + label_of(shard) : "";
    return (cache == "cold" ? "/cache:cold" : "") + label;
}

Range units_of(Shard const& shard, std::uint64_t const units) {
    // units * index / count without overflow of the product.
    auto const edge = [&](std::uint64_t index) {
        return units / shard.count * index + units % shard.count * index / shard.count;
    };
    return {edge(shard.index), edge(shard.index + 1) - edge(shard.index)};
}

std::vector<PlannedCase> plan_cases(Experiment const& experiment, std::vector<Sweep> const& sweeps,
                                    Selection const& selection, std::vector<RefusedSetting>* const refused) {
    bool const user_chose_axes = std::any_of(experiment.axes.begin(), experiment.axes.end(),
                                             [&](Axis const& axis) { return selection.axes.count(axis.name) != 0; });
    std::vector<RefusedSetting> refused_here;
    NameFilter const of_user = filter_of(selection);
    of_user.require_matches(experiment);
    std::vector<PlannedCase> cases;
    for (Sweep const* const sweep : chosen_sweeps(experiment, sweeps, selection)) {
        NameFilter const of_sweep = filter_of(*sweep);
        require_sweep_match(experiment, *sweep, of_sweep);
        int const repetitions = selection.repetitions.value_or(sweep->repetitions);
        std::vector<std::string> const caches =
            selection.cache ? std::vector<std::string>{*selection.cache} : sweep->cache;
        for (Machine const machine : machines_for(*sweep, selection)) {
            auto const variants = chosen_variants(experiment, *sweep, machine, of_sweep, of_user);
            std::vector<Axes> tuples = cross_product(experiment, lists_for(experiment, *sweep, machine, selection));
            remove_meaningless(experiment, tuples, refused != nullptr && user_chose_axes ? &refused_here : nullptr);
            for (Axes const& axes : tuples) {
                for (std::string const& cache : caches) {
                    for (Variant const* const variant : variants)
                        add_case(cases, planned_case(experiment, *variant, axes, cache, selection), *sweep,
                                 repetitions);
                }
            }
        }
    }
    group_by_axes(cases);
    if (refused != nullptr)
        refused->insert(refused->end(), refused_here.begin(), refused_here.end());
    return cases;
}

std::size_t count_cases(Experiment const& experiment, Sweep const& sweep, Machine const machine) {
    std::string const name(simt::to_string(machine));
    if (std::find(sweep.machines.begin(), sweep.machines.end(), name) == sweep.machines.end())
        return 0;
    NameFilter const all{{".*", ""}, std::nullopt};
    std::size_t count = chosen_variants(experiment, sweep, machine, filter_of(sweep), all).size() * sweep.cache.size();
    for (auto const& [axis, values] : lists_for(experiment, sweep, machine, {}))
        count *= values.size();
    return count;
}

}  // namespace lockstep::bench
