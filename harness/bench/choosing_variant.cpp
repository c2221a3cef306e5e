#include "harness/bench/choosing_variant.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/bench/forwarding_case.hpp"

namespace lockstep::bench {

namespace {

class Chooser {
public:
    Chooser(std::vector<Variant> variants, std::string name, Preference preference)
        : variants_(std::move(variants)), name_(std::move(name)), preference_(std::move(preference)) {}

    Variant const& operator()(Axes const& axes) const { return *first(1, axes).front(); }

    // The first `count` variants that support the axes; if there is none, the last one of the preference.
    std::vector<Variant const*> first(std::size_t const count, Axes const& axes) const {
        std::vector<std::string> const names = preference_(axes);
        if (names.empty())
            throw Error("variant " + name_ + " has nothing to choose from");
        std::vector<Variant const*> fitting;
        for (std::string const& name : names) {
            Variant const& candidate = named(name);
            bool const known = std::find(fitting.begin(), fitting.end(), &candidate) != fitting.end();
            if (!known && candidate.unsupported_reason(axes).empty())
                fitting.push_back(&candidate);
            if (fitting.size() == count)
                return fitting;
        }
        if (fitting.empty())
            fitting.push_back(&named(names.back()));
        return fitting;
    }

private:
    Variant const& named(std::string const& wanted) const {
        auto const found = std::find_if(variants_.begin(), variants_.end(),
                                        [&](Variant const& variant) { return variant.name == wanted; });
        if (found == variants_.end())
            throw Error("variant " + name_ + " chooses " + wanted, "it must be listed after the variants it chooses");
        return *found;
    }

    std::vector<Variant> variants_;
    std::string name_;
    Preference preference_;
};

// A case of a variant that a measurement may choose.
class CandidateCase : public ForwardingCase {
public:
    CandidateCase(std::unique_ptr<Case> made, Variant const& variant)
        : ForwardingCase(std::move(made)), variant_(variant) {}

    Variant const* chosen_variant() const override { return &variant_; }

private:
    Variant const& variant_;  // of the variant that chooses, which outlives its cases
};

std::unique_ptr<Case> fastest_of(std::vector<Variant const*> const& variants, Problem const& problem,
                                 Trials const& trials) {
    std::vector<CaseMaker> candidates;
    for (Variant const* const variant : variants) {
        candidates.push_back([&problem, variant]() -> std::unique_ptr<Case> {
            return std::make_unique<CandidateCase>(variant->make(problem), *variant);
        });
    }
    return fastest_case(problem, Machine::cuda, candidates, trials.max_run_seconds);
}

}  // namespace

Variant choosing_variant(Experiment const& experiment, Machine const machine, std::string name, Role const role,
                         std::string description, Preference preference, Trials const trials) {
    std::vector<Variant> variants;
    for (Variant const& variant : experiment.variants) {
        if (variant.machine == machine)
            variants.push_back(variant);
    }
    auto const choose = std::make_shared<Chooser const>(std::move(variants), name, std::move(preference));
    Variant made;
    made.name = std::move(name);
    made.role = role;
    made.machine = machine;
    made.description = std::move(description);
    made.make = [choose, machine, trials](Problem const& problem) {
        if (machine != Machine::cuda || !problem.repeated || problem.is_shard || trials.candidates == 1)
            return (*choose)(problem.axes).make(problem);
        return fastest_of(choose->first(trials.candidates, problem.axes), problem, trials);
    };
    made.unsupported_reason = [choose](Axes const& axes) { return (*choose)(axes).unsupported_reason(axes); };
    made.chosen = [choose](Axes const& axes) -> Variant const& { return (*choose)(axes); };
    return made;
}

}  // namespace lockstep::bench
