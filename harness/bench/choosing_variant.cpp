#include "harness/bench/choosing_variant.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

namespace {

class Chooser {
public:
    Chooser(std::vector<Variant> variants, std::string name, Preference preference)
        : variants_(std::move(variants)), name_(std::move(name)), preference_(std::move(preference)) {}

    Variant const& operator()(Axes const& axes) const {
        std::vector<std::string> const names = preference_(axes);
        if (names.empty())
            throw Error("variant " + name_ + " has nothing to choose from");
        auto const fits = [&](std::string const& name) { return named(name).unsupported_reason(axes).empty(); };
        auto const best = std::find_if(names.begin(), names.end(), fits);
        return named(best == names.end() ? names.back() : *best);
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

}  // namespace

Variant choosing_variant(Experiment const& experiment, Machine const machine, std::string name, Role const role,
                         std::string description, Preference preference) {
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
    made.make = [choose](Problem const& problem) { return (*choose)(problem.axes).make(problem); };
    made.unsupported_reason = [choose](Axes const& axes) { return (*choose)(axes).unsupported_reason(axes); };
    made.chosen = [choose](Axes const& axes) -> Variant const& { return (*choose)(axes); };
    return made;
}

}  // namespace lockstep::bench
