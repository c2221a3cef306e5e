// The reference of program wator: a cell owns its swimmer, and a swimmer knows how it swims. Each step of a tick treats
// every cell independently of the others, so the reference takes ranges of cells on all cores. A sea of 2^24 cells
// would otherwise take minutes. The variant takes all cells on one thread.

#include "common/object_layout/wator.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "harness/bench/make_variant.hpp"
#include "reference_cpu/object_layout/cores.hpp"

namespace lockstep::object_layout {

namespace {

class Sea;

struct Swimmer {
    virtual ~Swimmer() = default;
    virtual unsigned kind() const = 0;
    // The directions for which it may ask.
    virtual unsigned wishes(Sea const& sea, unsigned cell) const = 0;
    virtual std::unique_ptr<Swimmer> child() const = 0;
    virtual unsigned breeds_at() const = 0;
    // Called once per tick. Returns whether it lives on.
    virtual bool feed(bool ate) = 0;

    unsigned age = 0;
    unsigned energy = 0;
};

class Sea {
public:
    Sea(std::uint64_t seed, unsigned cells, Cores cores);
    void tick(unsigned tick);
    Simulated result() const;
    std::vector<std::uint64_t> count() const;

    unsigned kind_at(unsigned cell) const { return cells_[cell] ? cells_[cell]->kind() : empty_cell; }
    unsigned directions_to(unsigned cell, unsigned kind) const {
        unsigned mask = 0;
        for (unsigned direction = 0; direction < 4; ++direction)
            mask |= kind_at(neighbour(cell, direction)) == kind ? 1u << direction : 0;
        return mask;
    }

private:
    unsigned neighbour(unsigned cell, unsigned direction) const {
        return cpu::neighbour_cell(cell, direction, width_, static_cast<unsigned>(cells_.size()));
    }
    template <class Work>
    void for_each_cell(Work const& work) const;
    void put_first_swimmer(unsigned cell);
    unsigned taken_direction(unsigned cell, unsigned tick, std::vector<unsigned> const& asked) const;
    void move(unsigned from, unsigned to, std::vector<std::unique_ptr<Swimmer>>& next);

    std::uint64_t seed_;
    Cores cores_;
    unsigned width_;
    std::vector<std::unique_ptr<Swimmer>> cells_;
};

struct Fish : Swimmer {
    Fish() { energy = 1; }
    unsigned kind() const override { return fish_cell; }
    unsigned wishes(Sea const& sea, unsigned cell) const override { return sea.directions_to(cell, empty_cell); }
    std::unique_ptr<Swimmer> child() const override { return std::make_unique<Fish>(); }
    unsigned breeds_at() const override { return fish_breed_at; }
    bool feed(bool) override { return true; }
};

struct Shark : Swimmer {
    Shark() { energy = shark_energy; }
    unsigned kind() const override { return shark_cell; }
    unsigned wishes(Sea const& sea, unsigned cell) const override {
        unsigned const fish = sea.directions_to(cell, fish_cell);
        return fish != 0 ? fish : sea.directions_to(cell, empty_cell);
    }
    std::unique_ptr<Swimmer> child() const override { return std::make_unique<Shark>(); }
    unsigned breeds_at() const override { return shark_breeds_at; }
    bool feed(bool ate) override {
        energy = ate ? std::min(energy + energy_of_a_fish, max_energy) : energy - 1;
        return energy != 0;
    }
};

Sea::Sea(std::uint64_t seed, unsigned cells, Cores cores)
    : seed_(seed), cores_(cores), width_(sea_width(cells)), cells_(cells) {
    for_each_cell([&](unsigned cell) { put_first_swimmer(cell); });
}

template <class Work>
void Sea::for_each_cell(Work const& work) const {
    for_each_index(cores_, cells_.size(), [&](std::size_t cell) { work(static_cast<unsigned>(cell)); });
}

void Sea::put_first_swimmer(unsigned cell) {
    cpu::NewSwimmer const first = cpu::first_swimmer(seed_, cell);
    if (first.kind == empty_cell)
        return;
    if (first.kind == fish_cell)
        cells_[cell] = std::make_unique<Fish>();
    else
        cells_[cell] = std::make_unique<Shark>();
    cells_[cell]->age = first.age;
}

// The direction from a cell to the swimmer that it takes, or asks_for_none.
unsigned Sea::taken_direction(unsigned cell, unsigned tick, std::vector<unsigned> const& asked) const {
    unsigned askers[3] = {0, 0, 0};  // by kind
    for (unsigned direction = 0; direction < 4; ++direction) {
        unsigned const other = neighbour(cell, direction);
        if (cells_[other] && asked[other] == (direction ^ 2))
            askers[cells_[other]->kind()] |= 1u << direction;
    }
    unsigned const mask = askers[shark_cell] != 0 ? askers[shark_cell] : askers[fish_cell];
    return mask == 0 ? asks_for_none : cpu::direction_of(mask, cpu::words_of_cell(seed_, cell, tick));
}

// Moves the swimmer of a cell, which may be where it is.
void Sea::move(unsigned from, unsigned to, std::vector<std::unique_ptr<Swimmer>>& next) {
    std::unique_ptr<Swimmer> swimmer = std::move(cells_[from]);
    bool const moves = from != to;
    swimmer->age = std::min(swimmer->age + 1, oldest_swimmer);
    if (!swimmer->feed(moves && kind_at(to) == fish_cell))
        return;
    if (moves && swimmer->age >= swimmer->breeds_at()) {
        swimmer->age = 0;
        next[from] = swimmer->child();
    }
    next[to] = std::move(swimmer);
}

void Sea::tick(unsigned tick) {
    std::vector<unsigned> asked(cells_.size(), asks_for_none);
    for_each_cell([&](unsigned cell) {
        unsigned const wishes = cells_[cell] ? cells_[cell]->wishes(*this, cell) : 0;
        if (wishes != 0)
            asked[cell] = cpu::direction_of(wishes, cpu::words_of_swimmer(seed_, cell, tick));
    });
    std::vector<unsigned> taken(cells_.size(), asks_for_none);
    for_each_cell([&](unsigned cell) { taken[cell] = taken_direction(cell, tick, asked); });
    std::vector<std::unique_ptr<Swimmer>> next(cells_.size());
    // Sharks come first: what they eat must still be there. A cell takes at most one swimmer, so no two swimmers of a
    // kind touch the same cell.
    for (unsigned const kind : {shark_cell, fish_cell}) {
        for_each_cell([&](unsigned cell) {
            if (kind_at(cell) != kind)
                return;
            bool const eaten = kind == fish_cell && taken[cell] != asks_for_none;
            unsigned const to = asked[cell] == asks_for_none ? cell : neighbour(cell, asked[cell]);
            bool const moves = to != cell && taken[to] == (asked[cell] ^ 2);
            if (!eaten)
                move(cell, moves ? to : cell, next);
        });
    }
    for_each_cell([&](unsigned cell) { cells_[cell] = std::move(next[cell]); });
}

Simulated Sea::result() const {
    Simulated simulated;
    for (std::unique_ptr<Swimmer> const& swimmer : cells_) {
        simulated.results.push_back(swimmer ? swimmer->kind() : empty_cell);
        simulated.results.push_back(swimmer ? swimmer->age << 16 | swimmer->energy : 0);
    }
    return simulated;
}

std::vector<std::uint64_t> Sea::count() const {
    std::atomic<std::uint64_t> fish = 0;
    std::atomic<std::uint64_t> sharks = 0;
    for_each_range(cores_, cells_.size(), [&](std::size_t first, std::size_t last) {
        std::uint64_t found[3] = {0, 0, 0};  // by kind
        for (std::size_t cell = first; cell < last; ++cell)
            ++found[kind_at(static_cast<unsigned>(cell))];
        fish += found[fish_cell];
        sharks += found[shark_cell];
    });
    return {fish, sharks};
}

Simulated simulate_sea(bench::Problem const& problem, Cores cores) {
    refuse_shards(problem);
    Sea sea(problem.seed, static_cast<unsigned>(problem.units), cores);
    History history = {sea.count()};
    for (unsigned tick = 0; tick < static_cast<unsigned>(problem.axes.integer("ticks")); ++tick) {
        sea.tick(tick);
        history.push_back(sea.count());
    }
    Simulated simulated = sea.result();
    simulated.history = std::move(history);
    return simulated;
}

}  // namespace

unsigned sea_width(std::uint64_t cells) {
    auto width = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(cells)));
    while (width * width > cells)
        --width;
    while ((width + 1) * (width + 1) <= cells)
        ++width;
    return static_cast<unsigned>(std::max<std::uint64_t>(width, 1));
}

std::shared_ptr<Simulated const> sea_after(bench::Problem const& problem) {
    static KeptSimulation kept([](bench::Problem const& all) { return simulate_sea(all, Cores::all); });
    return kept.of(problem);
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_wator(bench::Experiment& experiment) {
    experiment.references.push_back(
        {.name = "wator",
         .unit = [](bench::Problem const& problem, std::uint64_t unit) { return sea_after(problem)->result(unit); },
         .first_unit_prepares = true});
    experiment.variants.push_back(
        plain_objects_variant("wator", "fish and sharks as plain C++ objects, one thread",
                              [](bench::Problem const& problem) { return simulate_sea(problem, Cores::one); }));
}

}  // namespace lockstep::object_layout::cpu
