// The reference of program families: plain objects, virtual calls, a vector of owned creatures.

#include "common/object_layout/families.hpp"

#include <memory>
#include <vector>

#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"

namespace lockstep::object_layout {

namespace {

struct Creature {
    virtual ~Creature() = default;
    // Returns whether it dies (0), lives (1) or has a child (2).
    virtual unsigned live(unsigned word) = 0;

    std::uint64_t name = 0;
    float energy = 0;
    float traits[2] = {0, 0};
    unsigned age = 0;
};

struct Grazer : Creature {
    unsigned live(unsigned word) override {
        energy = energy + traits[0] * 0.5f;
        return word < (1u << 30) ? 0 : word >= 3u << 30 ? 2 : 1;
    }
};

struct Hunter : Creature {
    unsigned live(unsigned word) override {
        energy = energy * 0.75f + traits[1];
        return word < (1u << 29) ? 0 : word >= 7u << 29 ? 2 : 1;
    }
};

using Family = std::vector<std::unique_ptr<Creature>>;

std::unique_ptr<Creature> make_creature(std::uint64_t name, float energy, float first, float second) {
    std::unique_ptr<Creature> made;
    if (name % 2 == 0)
        made = std::make_unique<Grazer>();
    else
        made = std::make_unique<Hunter>();
    made->name = name;
    made->energy = energy;
    made->traits[0] = first;
    made->traits[1] = second;
    return made;
}

Family after_a_tick(Family family, std::uint64_t seed, unsigned tick) {
    Family next;
    for (std::unique_ptr<Creature>& creature : family) {
        unsigned const outcome = creature->live(cpu::word_of_tick(seed, creature->name, tick));
        if (outcome == 0)
            continue;
        if (creature->age < oldest_age)
            ++creature->age;
        std::unique_ptr<Creature> child;
        if (outcome == 2) {
            creature->energy = creature->energy * 0.5f;
            child = make_creature(cpu::name_of_child(seed, creature->name, tick), creature->energy, creature->traits[1],
                                  creature->traits[0]);
        }
        next.push_back(std::move(creature));
        if (child)
            next.push_back(std::move(child));
    }
    return next;
}

Family family_of(bench::Problem const& problem, std::uint64_t unit) {
    cpu::Ancestor const first = cpu::ancestor_of(problem.seed, unit);
    Family family;
    family.push_back(make_creature(first.name, first.energy, first.traits[0], first.traits[1]));
    for (unsigned tick = 0; tick < static_cast<unsigned>(problem.axes.integer("ticks")) && !family.empty(); ++tick)
        family = after_a_tick(std::move(family), problem.seed, tick);
    return family;
}

class FamiliesCase : public bench::cpu::StoredCase {
public:
    explicit FamiliesCase(bench::Problem const& problem) : StoredCase(problem, 2), problem_(problem) {}
    void run(simt::Stream) override {
        for (std::uint64_t unit = 0; unit < problem_.units; ++unit)
            store(unit, family_after(problem_, problem_.first_unit + unit));
    }
    bench::Work work() const override {
        double const ticks = static_cast<double>(problem_.units) * problem_.axes.real("ticks");
        return {ticks, 0, ticks};
    }

private:
    bench::Problem problem_;
};

}  // namespace

bench::UnitResult family_after(bench::Problem const& problem, std::uint64_t unit) {
    std::uint32_t sum = 0;
    Family const family = family_of(problem, unit);
    for (std::unique_ptr<Creature> const& creature : family)
        sum += cpu::mark_of(creature->name, creature->energy, creature->traits[0], creature->traits[1], creature->age);
    return {static_cast<std::uint32_t>(family.size()), sum};
}

std::string families_unsupported_reason(bench::Axes const& axes) {
    return axes.text("program") == "families" ? "" : "it supports only program families";
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_families(bench::Experiment& experiment) {
    experiment.references.push_back({"families", family_after});
    experiment.variants.push_back(bench::cpu::make_variant(
        "families_objects", bench::Role::reference, "families", "creatures as plain C++ objects, one thread",
        [](bench::Problem const& problem) { return std::make_unique<FamiliesCase>(problem); },
        families_unsupported_reason));
}

}  // namespace lockstep::object_layout::cpu
