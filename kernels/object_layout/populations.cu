// Program families through the library: creatures of two classes in a population that sections change. The variants
// differ in one word, the layout of the class. The method of a class is found by a generated switch.

#include <memory>

#include "common/object_layout/families.hpp"
#include "kernels/object_layout/library/class_list.hpp"
#include "kernels/object_layout/library/records.hpp"

#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"
#include "kernels/object_layout/library/population.hpp"
#include "kernels/object_layout/library/sections.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct CreatureField {
    enum : unsigned { name, family, energy, traits, tag, age };
};
template <class Layout>
using Creatures = Record<Layout, unsigned long long, unsigned, float, float[2], unsigned char, unsigned char>;

struct Grazer {
    template <class Objects>
    __device__ static unsigned live(Objects const& objects, unsigned id, unsigned word) {
        float& energy = objects.template get<CreatureField::energy>(id);
        energy = energy + objects.template get<CreatureField::traits>(id, 0) * 0.5f;
        return word < (1u << 30) ? 0 : word >= 3u << 30 ? 2 : 1;
    }
};

struct Hunter {
    template <class Objects>
    __device__ static unsigned live(Objects const& objects, unsigned id, unsigned word) {
        float& energy = objects.template get<CreatureField::energy>(id);
        energy = energy * 0.75f + objects.template get<CreatureField::traits>(id, 1);
        return word < (1u << 29) ? 0 : word >= 7u << 29 ? 2 : 1;
    }
};

using CreatureClasses = ClassList<Grazer, Hunter>;

template <class Objects>
struct LiveMethod {
    Objects const& objects;
    template <class Class>
    __device__ unsigned call(unsigned id, unsigned word) const {
        return Class::live(objects, id, word);
    }
};

// The section of a tick.
struct Life {
    unsigned long long seed;

    template <class Objects>
    __device__ unsigned live(Objects const& objects, unsigned id, unsigned tick) const {
        unsigned const word = word_of_tick(seed, objects.template get<CreatureField::name>(id), tick);
        unsigned const tag = objects.template get<CreatureField::tag>(id);
        unsigned const successors = CreatureClasses::call(tag, LiveMethod<Objects>{objects}, id, word);
        unsigned char& age = objects.template get<CreatureField::age>(id);
        age = static_cast<unsigned char>(age < oldest_age ? age + 1 : oldest_age);
        if (successors == 2) {
            float& energy = objects.template get<CreatureField::energy>(id);
            energy = energy * 0.5f;
        }
        return successors;
    }

    template <class Objects>
    __device__ void create(Objects const& parents, unsigned parent, Objects const& children, unsigned child, unsigned,
                           unsigned tick) const {
        using F = CreatureField;
        unsigned long long const name = name_of_child(seed, parents.template get<F::name>(parent), tick);
        children.template get<F::name>(child) = name;
        children.template get<F::family>(child) = parents.template get<F::family>(parent);
        children.template get<F::energy>(child) = parents.template get<F::energy>(parent);
        children.template get<F::traits>(child, 0) = parents.template get<F::traits>(parent, 1);
        children.template get<F::traits>(child, 1) = parents.template get<F::traits>(parent, 0);
        children.template get<F::tag>(child) = static_cast<unsigned char>(name % CreatureClasses::size);
        children.template get<F::age>(child) = 0;
    }
};

template <class Objects>
struct BeginFamilies {
    Objects objects;
    unsigned long long seed;
    unsigned long long first_family;

    __device__ void operator()(unsigned id, unsigned) const {
        using F = CreatureField;
        Ancestor const made = ancestor_of(seed, first_family + id);
        objects.template get<F::name>(id) = made.name;
        objects.template get<F::family>(id) = id;
        objects.template get<F::energy>(id) = made.energy;
        objects.template get<F::traits>(id, 0) = made.traits[0];
        objects.template get<F::traits>(id, 1) = made.traits[1];
        objects.template get<F::tag>(id) = static_cast<unsigned char>(made.name % CreatureClasses::size);
        objects.template get<F::age>(id) = 0;
    }
};

struct ClearFamilies {
    unsigned* results;
    __device__ void operator()(unsigned family, unsigned) const {
        results[2 * family] = 0;
        results[2 * family + 1] = 0;
    }
};

template <class Objects>
struct CountFamilies {
    Objects objects;
    unsigned* results;

    __device__ void operator()(unsigned id, unsigned) const {
        using F = CreatureField;
        unsigned const family = objects.template get<F::family>(id);
        atomicAdd(&results[2ull * family], 1u);
        atomicAdd(&results[2ull * family + 1],
                  mark_of(objects.template get<F::name>(id), objects.template get<F::energy>(id),
                          objects.template get<F::traits>(id, 0), objects.template get<F::traits>(id, 1),
                          objects.template get<F::age>(id)));
    }
};

namespace {

template <class Layout>
class PopulationCase : public bench::LOCKSTEP_MACHINE::StoredCase {
    using Objects = Creatures<Layout>;

public:
    explicit PopulationCase(bench::Problem const& problem)
        : StoredCase(problem, 2), ticks_(static_cast<unsigned>(problem.axes.integer("ticks"))) {}

    void reset() override {
        StoredCase::reset();
        population_ = std::make_unique<Population<Objects>>(families());
        lived_ = 0;
        each(families(), 0, 1, BeginFamilies<Objects>{population_->objects(), problem().seed, problem().first_unit});
        synchronize({});
    }
    void run(simt::Stream stream) override {
        for (unsigned tick = 0; tick < ticks_; ++tick) {
            lived_ += population_->size();
            population_->step(Life{problem().seed}, tick, stream);
        }
    }
    // An item is a tick of a creature.
    bench::Work work() const override {
        double const lived = static_cast<double>(families()) * ticks_;
        return {lived, 2.0 * bytes_of_fields * lived, lived};
    }
    // The host allocates and launches by the number of creatures.
    bool is_host_driven() const override { return true; }
    bool repeatable() const override { return false; }
    bench::Metrics metrics() const override {
        return {{"creature_ticks", static_cast<double>(lived_)},
                {"creatures_at_end", population_ ? static_cast<double>(population_->size()) : 0.0}};
    }

private:
    static constexpr double bytes_of_fields = 22;  // of the fields of a creature
    unsigned families() const { return static_cast<unsigned>(problem().units); }
    void complete() override {
        each(families(), 0, 1, ClearFamilies{output().data()});
        each(population_->size(), 0, 1, CountFamilies<Objects>{population_->objects(), output().data()});
        synchronize({});
    }

    unsigned ticks_;
    std::unique_ptr<Population<Objects>> population_;
    std::uint64_t lived_ = 0;
};

template <class Layout>
void add(bench::Experiment& experiment, std::string const& name, std::string const& layout) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        "populations_" + name, bench::Role::ours, "families",
        "the library: creatures created and deleted in sections, stored in " + layout,
        [](bench::Problem const& problem) { return std::make_unique<PopulationCase<Layout>>(problem); },
        families_unsupported_reason));
}

}  // namespace

void add_populations(bench::Experiment& experiment) {
    add<Columns>(experiment, "columns", "columns");
    add<Rows<>>(experiment, "rows", "structures");
    add<Rows<56>>(experiment, "padded", "structures of 56 bytes");
    add<Blocks<32>>(experiment, "blocks", "blocks of 32 objects");
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
