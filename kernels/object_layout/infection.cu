// Program infection through the library: people are a population, from which sections delete the dead, and streets
// count the infected people on them by atomic additions, which commute. The class of a person changes; its method is
// found by a generated switch. infection.hpp has the rules.
//
// What differs within a warp: who walks, and the classes of people.

#include <memory>

#include "common/object_layout/infection.hpp"
#include "kernels/object_layout/library/class_list.hpp"
#include "kernels/object_layout/library/records.hpp"

#include "common/object_layout/traffic.hpp"
#include "harness/bench/make_variant.hpp"
#include "kernels/object_layout/interaction_case.hpp"
#include "kernels/object_layout/library/population.hpp"
#include "kernels/object_layout/street_buffers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct PersonField {
    enum : unsigned { number, street, ticks, tag };
};
template <class Layout>
using People = Record<Layout, unsigned, unsigned, unsigned char, unsigned char>;

struct StreetContacts {
    StreetGraph graph;
    unsigned* infected;     // people per street
    unsigned const* risks;  // by their number
    unsigned long long seed;
};

struct SusceptibleClass {
    static constexpr bool infectious = false;
    template <class Objects>
    __device__ static unsigned live(Objects const& people, unsigned id, TickWords& words,
                                    StreetContacts const& streets) {
        unsigned const contacts = streets.infected[people.template get<PersonField::street>(id)];
        if (words() < streets.risks[contacts < max_contacts ? contacts : max_contacts]) {
            people.template get<PersonField::tag>(id) = infected_person;
        }
        return 1;
    }
};

struct InfectedClass {
    static constexpr bool infectious = true;
    template <class Objects>
    __device__ static unsigned live(Objects const& people, unsigned id, TickWords& words, StreetContacts const&) {
        unsigned char& ticks = people.template get<PersonField::ticks>(id);
        ticks = static_cast<unsigned char>(ticks + 1);
        if (ticks < infectious_ticks) {
            return 1;
        }
        people.template get<PersonField::tag>(id) = recovered_person;
        return random::LOCKSTEP_MACHINE::bounded(words, infections_per_death) == 0 ? 0 : 1;
    }
};

struct RecoveredClass {
    static constexpr bool infectious = false;
    template <class Objects>
    __device__ static unsigned live(Objects const&, unsigned, TickWords&, StreetContacts const&) {
        return 1;
    }
};

using HealthClasses = ClassList<SusceptibleClass, InfectedClass, RecoveredClass>;
static_assert(HealthClasses::tag_of<RecoveredClass>() == recovered_person);

struct ClearContacts {
    unsigned* infected;
    __device__ void operator()(unsigned street, unsigned) const { infected[street] = 0; }
};

struct IsInfectious {
    template <class Class>
    __device__ bool call() const {
        return Class::infectious;
    }
};

template <class Objects>
struct WalkPerson {
    Objects people;
    StreetContacts streets;

    __device__ void operator()(unsigned id, unsigned tick) const {
        unsigned& street = people.template get<PersonField::street>(id);
        unsigned const now =
            street_after_walk(streets.graph, streets.seed, people.template get<PersonField::number>(id), street, tick);
        street = now;
        if (HealthClasses::call(people.template get<PersonField::tag>(id), IsInfectious{})) {
            atomicAdd(&streets.infected[now], 1u);
        }
    }
};

template <class Objects>
struct LiveThroughTick {
    Objects const& people;
    StreetContacts const& streets;
    TickWords& words;

    template <class Class>
    __device__ unsigned call(unsigned id) const {
        return Class::live(people, id, words, streets);
    }
};

struct PersonLife {
    StreetContacts streets;

    template <class Objects>
    __device__ unsigned live(Objects const& people, unsigned id, unsigned tick) const {
        TickWords words = words_of_health(streets.seed, people.template get<PersonField::number>(id), tick);
        return HealthClasses::call(people.template get<PersonField::tag>(id),
                                   LiveThroughTick<Objects>{people, streets, words}, id);
    }
    // Nobody is born.
    template <class Objects>
    __device__ void create(Objects const&, unsigned, Objects const&, unsigned, unsigned, unsigned) const {}
};

template <class Objects>
struct BeginPerson {
    Objects people;
    unsigned long long seed;
    unsigned streets;
    __device__ void operator()(unsigned id, unsigned) const {
        NewPerson const first = first_person(seed, id, streets);
        people.template get<PersonField::number>(id) = id;
        people.template get<PersonField::street>(id) = first.street;
        people.template get<PersonField::ticks>(id) = 0;
        people.template get<PersonField::tag>(id) = static_cast<unsigned char>(first.kind);
    }
};

struct ClearPerson {
    unsigned* results;
    __device__ void operator()(unsigned number, unsigned) const {
        results[2ull * number] = dead_person;
        results[2ull * number + 1] = 0;
    }
};

template <class Objects>
struct StorePerson {
    Objects people;
    unsigned* results;
    __device__ void operator()(unsigned id, unsigned) const {
        unsigned const number = people.template get<PersonField::number>(id);
        results[2ull * number] = static_cast<unsigned>(people.template get<PersonField::ticks>(id)) << 8 |
                                 people.template get<PersonField::tag>(id);
        results[2ull * number + 1] = people.template get<PersonField::street>(id);
    }
};

template <class Objects>
struct IsOfTag {
    Objects people;
    unsigned tag;
    __device__ unsigned long long operator()(unsigned id) const {
        return people.template get<PersonField::tag>(id) == tag ? 1 : 0;
    }
};

namespace {

template <class Layout>
class PeopleCase : public InteractionCase {
    using Objects = People<Layout>;

public:
    explicit PeopleCase(bench::Problem const& problem)
        : InteractionCase(problem, 2),
          network_(network_of(problem.axes, problem.seed)),
          streets_(*network_),
          infected_(network_->streets()),
          risks_(max_contacts + 1) {
        risks_.upload(infection_risks());
    }

    void reset() override {
        StoredCase::reset();
        population_ = std::make_unique<Population<Objects>>(units());
        each(units(), 0, 1, BeginPerson<Objects>{population_->objects(), seed(), network_->streets()});
        synchronize({});
    }
    bool is_host_driven() const override { return true; }

private:
    void step(unsigned tick, simt::Stream stream) override {
        StreetContacts const contacts = {streets_.graph(), infected_.data(), risks_.data(), seed()};
        each(network_->streets(), 0, 1, ClearContacts{infected_.data()}, stream);
        each(population_->size(), tick, tick + 1, WalkPerson<Objects>{population_->objects(), contacts}, stream);
        population_->step(PersonLife{contacts}, tick, stream);
    }
    std::vector<std::uint64_t> count() override {
        std::vector<std::uint64_t> counts;
        for (unsigned tag = 0; tag < HealthClasses::size; ++tag)
            counts.push_back(sum_over_objects(population_->size(), IsOfTag<Objects>{population_->objects(), tag}));
        counts.push_back(units() - population_->size());
        return counts;
    }
    // The 10 bytes of a person, read, written for the next tick, and the street once more.
    double bytes_per_tick() const override { return 24; }
    void complete() override {
        each(units(), 0, 1, ClearPerson{output().data()});
        each(population_->size(), 0, 1, StorePerson<Objects>{population_->objects(), output().data()});
        synchronize({});
    }

    std::shared_ptr<Network const> network_;
    StreetBuffers streets_;
    Buffer<unsigned> infected_, risks_;
    std::unique_ptr<Population<Objects>> population_;
};

template <class Layout>
void add_people(bench::Experiment& experiment, std::string const& name, std::string const& layout) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        "infection_" + name, bench::Role::ours, "infection", "people in a population, stored in " + layout,
        [](bench::Problem const& problem) { return std::make_unique<PeopleCase<Layout>>(problem); },
        [](bench::Axes const& axes) { return interaction_unsupported_reason(axes, "infection"); }));
}

}  // namespace

void add_infection(bench::Experiment& experiment) {
    add_people<Columns>(experiment, "columns", "columns");
    add_people<Rows<>>(experiment, "rows", "structures");
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
