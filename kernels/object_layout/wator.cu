// Program wator through the library: fish and sharks are a population, whose sections delete and create them, and the
// cells of the sea are objects that they share. The method of a class is found by a generated switch. wator.hpp has the
// rules.
//
// In a section, each cell is written by at most one swimmer: the one that it took, or the one that leaves it. What
// differs within a warp: the kind of a swimmer, the number of its wishes, and whether it moves.

#include <memory>

#include "common/object_layout/wator.hpp"
#include "kernels/object_layout/library/class_list.hpp"
#include "kernels/object_layout/library/records.hpp"

#include "harness/bench/make_variant.hpp"
#include "kernels/object_layout/interaction_case.hpp"
#include "kernels/object_layout/library/population.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct SwimmerField {
    enum : unsigned { cell, left, age, energy, tag };
};
template <class Layout>
using Swimmers = Record<Layout, unsigned, unsigned, unsigned short, unsigned char, unsigned char>;

struct SeaCells {
    unsigned char* kind;   // empty_cell, fish_cell or shark_cell
    unsigned char* asked;  // by the swimmer of a cell: a direction, or asks_for_none
    unsigned char* taken;  // the direction to the swimmer that a cell takes, or asks_for_none
    unsigned size;
    unsigned width;
    unsigned long long seed;

    __device__ unsigned neighbour(unsigned cell, unsigned direction) const {
        return neighbour_cell(cell, direction, width, size);
    }
    __device__ unsigned directions_to(unsigned cell, unsigned wanted) const {
        unsigned mask = 0;
        for (unsigned direction = 0; direction < 4; ++direction) {
            mask |= kind[neighbour(cell, direction)] == wanted ? 1u << direction : 0;
        }
        return mask;
    }
};

struct FishClass {
    static constexpr unsigned kind = fish_cell;
    static constexpr unsigned breeds_at = fish_breed_at;
    static constexpr unsigned energy = 1;  // it never starves
    __device__ static unsigned wishes(SeaCells const& sea, unsigned cell) {
        return sea.directions_to(cell, empty_cell);
    }
    __device__ static unsigned fed(unsigned, bool) { return 1; }
    // Whether a shark eats the swimmer of this cell.
    __device__ static bool eaten(SeaCells const& sea, unsigned cell) { return sea.taken[cell] != asks_for_none; }
};

struct SharkClass {
    static constexpr unsigned kind = shark_cell;
    static constexpr unsigned breeds_at = shark_breeds_at;
    static constexpr unsigned energy = shark_energy;
    __device__ static unsigned wishes(SeaCells const& sea, unsigned cell) {
        unsigned const fish = sea.directions_to(cell, fish_cell);
        return fish != 0 ? fish : sea.directions_to(cell, empty_cell);
    }
    __device__ static unsigned fed(unsigned energy, bool ate) {
        unsigned const more = energy + energy_of_a_fish;
        return ate ? (more < max_energy ? more : max_energy) : energy - 1;
    }
    __device__ static bool eaten(SeaCells const&, unsigned) { return false; }
};

using SwimmerClasses = ClassList<FishClass, SharkClass>;

// 1. Each swimmer asks for a cell.
template <class Objects>
struct AskForCell {
    Objects objects;
    SeaCells sea;

    template <class Class>
    __device__ unsigned call(unsigned cell) const {
        return Class::wishes(sea, cell);
    }
    __device__ void operator()(unsigned id, unsigned tick) const {
        unsigned const cell = objects.template get<SwimmerField::cell>(id);
        unsigned const wishes = SwimmerClasses::call(objects.template get<SwimmerField::tag>(id), *this, cell);
        unsigned direction = asks_for_none;
        if (wishes != 0) {
            direction = direction_of(wishes, words_of_swimmer(sea.seed, cell, tick));
        }
        sea.asked[cell] = static_cast<unsigned char>(direction);
    }
};

// 2. Each cell takes one of those that ask for it.
struct TakeSwimmer {
    SeaCells sea;

    __device__ void operator()(unsigned cell, unsigned tick) const {
        unsigned fish = 0;
        unsigned sharks = 0;
        for (unsigned direction = 0; direction < 4; ++direction) {
            unsigned const other = sea.neighbour(cell, direction);
            unsigned const kind = sea.kind[other];
            if (kind != empty_cell && sea.asked[other] == (direction ^ 2)) {
                (kind == fish_cell ? fish : sharks) |= 1u << direction;
            }
        }
        unsigned const askers = sharks != 0 ? sharks : fish;
        unsigned direction = asks_for_none;
        if (askers != 0) {
            direction = direction_of(askers, words_of_cell(sea.seed, cell, tick));
        }
        sea.taken[cell] = static_cast<unsigned char>(direction);
    }
};

// 3. Each swimmer moves, eats, dies and breeds.
template <class Objects>
struct Swim {
    Objects const& objects;
    SeaCells const& sea;

    template <class Class>
    __device__ unsigned call(unsigned id) const {
        unsigned& cell = objects.template get<SwimmerField::cell>(id);
        unsigned const from = cell;
        if (Class::eaten(sea, from)) {
            return 0;  // the shark writes the cell
        }
        unsigned const direction = sea.asked[from];
        unsigned const to = direction == asks_for_none ? from : sea.neighbour(from, direction);
        bool const moves = to != from && sea.taken[to] == (direction ^ 2);
        unsigned char& energy = objects.template get<SwimmerField::energy>(id);
        unsigned const left = Class::fed(energy, moves && sea.kind[to] == fish_cell);
        if (left == 0) {
            sea.kind[from] = empty_cell;
            return 0;
        }
        energy = static_cast<unsigned char>(left);
        unsigned short& age = objects.template get<SwimmerField::age>(id);
        unsigned const older = age < oldest_swimmer ? age + 1u : oldest_swimmer;
        bool const breeds = moves && older >= Class::breeds_at;
        age = static_cast<unsigned short>(breeds ? 0 : older);
        if (moves) {
            objects.template get<SwimmerField::left>(id) = from;
            cell = to;
            sea.kind[from] = static_cast<unsigned char>(breeds ? Class::kind : empty_cell);
            sea.kind[to] = static_cast<unsigned char>(Class::kind);
        }
        return breeds ? 2 : 1;
    }
};

struct EnergyAtBirth {
    template <class Class>
    __device__ unsigned call() const {
        return Class::energy;
    }
};

template <class Objects>
__device__ inline void set_swimmer(Objects const& objects, unsigned id, unsigned tag, unsigned cell, unsigned age) {
    objects.template get<SwimmerField::cell>(id) = cell;
    objects.template get<SwimmerField::left>(id) = cell;
    objects.template get<SwimmerField::age>(id) = static_cast<unsigned short>(age);
    objects.template get<SwimmerField::energy>(id) =
        static_cast<unsigned char>(SwimmerClasses::call(tag, EnergyAtBirth{}));
    objects.template get<SwimmerField::tag>(id) = static_cast<unsigned char>(tag);
}

struct SwimmerLife {
    SeaCells sea;

    template <class Objects>
    __device__ unsigned live(Objects const& objects, unsigned id, unsigned) const {
        return SwimmerClasses::call(objects.template get<SwimmerField::tag>(id), Swim<Objects>{objects, sea}, id);
    }
    template <class Objects>
    __device__ void create(Objects const& parents, unsigned parent, Objects const& children, unsigned child, unsigned,
                           unsigned) const {
        set_swimmer(children, child, parents.template get<SwimmerField::tag>(parent),
                    parents.template get<SwimmerField::left>(parent), 0);
    }
};

struct FillCell {
    SeaCells sea;
    __device__ void operator()(unsigned cell, unsigned) const {
        sea.kind[cell] = static_cast<unsigned char>(first_swimmer(sea.seed, cell).kind);
        sea.asked[cell] = static_cast<unsigned char>(asks_for_none);
        sea.taken[cell] = static_cast<unsigned char>(asks_for_none);
    }
};

struct IsOccupied {
    SeaCells sea;
    __device__ bool operator()(unsigned cell) const { return sea.kind[cell] != empty_cell; }
};

template <class Objects>
struct BeginSwimmer {
    Objects objects;
    unsigned const* cells;
    unsigned long long seed;
    __device__ void operator()(unsigned id, unsigned) const {
        NewSwimmer const first = first_swimmer(seed, cells[id]);
        set_swimmer(objects, id, first.kind - 1, cells[id], first.age);
    }
};

struct ClearCell {
    unsigned* results;
    __device__ void operator()(unsigned cell, unsigned) const {
        results[2ull * cell] = empty_cell;
        results[2ull * cell + 1] = 0;
    }
};

template <class Objects>
struct StoreSwimmer {
    Objects objects;
    unsigned* results;
    __device__ void operator()(unsigned id, unsigned) const {
        unsigned const cell = objects.template get<SwimmerField::cell>(id);
        results[2ull * cell] = objects.template get<SwimmerField::tag>(id) + 1u;
        results[2ull * cell + 1] = static_cast<unsigned>(objects.template get<SwimmerField::age>(id)) << 16 |
                                   objects.template get<SwimmerField::energy>(id);
    }
};

template <class Objects>
struct IsShark {
    static constexpr unsigned shark = SwimmerClasses::tag_of<SharkClass>();
    Objects objects;
    __device__ unsigned long long operator()(unsigned id) const {
        return objects.template get<SwimmerField::tag>(id) == shark ? 1 : 0;
    }
};

namespace {

template <class Layout>
class SeaCase : public InteractionCase {
    using Objects = Swimmers<Layout>;

public:
    explicit SeaCase(bench::Problem const& problem)
        : InteractionCase(problem, 2), kind_(units()), asked_(units()), taken_(units()) {}

    void reset() override {
        StoredCase::reset();
        each(units(), 0, 1, FillCell{sea()});
        Buffer<unsigned> const cells = over_objects(units()).selected(IsOccupied{sea()});
        unsigned const size = static_cast<unsigned>(cells.size());
        population_ = std::make_unique<Population<Objects>>(size);
        each(size, 0, 1, BeginSwimmer<Objects>{population_->objects(), cells.data(), seed()});
        synchronize({});
    }
    // The host allocates and launches by the number of swimmers.
    bool is_host_driven() const override { return true; }

private:
    SeaCells sea() { return {kind_.data(), asked_.data(), taken_.data(), units(), sea_width(problem().units), seed()}; }
    void step(unsigned tick, simt::Stream stream) override {
        each(population_->size(), tick, tick + 1, AskForCell<Objects>{population_->objects(), sea()}, stream);
        each(units(), tick, tick + 1, TakeSwimmer{sea()}, stream);
        population_->step(SwimmerLife{sea()}, tick, stream);
    }
    std::vector<std::uint64_t> count() override {
        std::uint64_t const sharks = sum_over_objects(population_->size(), IsShark<Objects>{population_->objects()});
        return {population_->size() - sharks, sharks};
    }
    // The three bytes of a cell, of which two are written.
    double bytes_per_tick() const override { return 5; }
    void complete() override {
        each(units(), 0, 1, ClearCell{output().data()});
        each(population_->size(), 0, 1, StoreSwimmer<Objects>{population_->objects(), output().data()});
        synchronize({});
    }

    Buffer<unsigned char> kind_, asked_, taken_;
    std::unique_ptr<Population<Objects>> population_;
};

template <class Layout>
void add_sea(bench::Experiment& experiment, std::string const& name, std::string const& layout) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        "wator_" + name, bench::Role::ours, "wator", "fish and sharks in a population, stored in " + layout,
        [](bench::Problem const& problem) { return std::make_unique<SeaCase<Layout>>(problem); },
        [](bench::Axes const& axes) { return interaction_unsupported_reason(axes, "wator"); }));
}

}  // namespace

void add_wator(bench::Experiment& experiment) {
    add_sea<Columns>(experiment, "columns", "columns");
    add_sea<Rows<>>(experiment, "rows", "structures");
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
