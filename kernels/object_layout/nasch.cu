// Program nasch through the library: vehicles are objects of two classes, the cells of all streets are an array that
// they share, and a street admits one vehicle by an atomic minimum, which does not depend on the order of lanes.
// nasch.hpp has the rules.
//
// What differs within a warp: the number of cells that a vehicle looks at (at most 5), and who is at the end of a
// street.

#include <memory>

#include "common/object_layout/nasch.hpp"
#include "kernels/object_layout/library/class_list.hpp"
#include "kernels/object_layout/library/records.hpp"

#include "common/object_layout/traffic.hpp"
#include "harness/bench/make_variant.hpp"
#include "kernels/object_layout/interaction_case.hpp"
#include "kernels/object_layout/library/population.hpp"
#include "kernels/object_layout/street_buffers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct VehicleField {
    enum : unsigned { street, cell, next, free, velocity, tag };
};
template <class Layout>
using Vehicles = Record<Layout, unsigned, unsigned, unsigned, unsigned char, unsigned char, unsigned char>;

struct CarClass {
    static constexpr unsigned max_velocity = max_velocity_of_car;
};
struct TruckClass {
    static constexpr unsigned max_velocity = max_velocity_of_truck;
};
using VehicleClasses = ClassList<CarClass, TruckClass>;

struct MaxVelocity {
    template <class Class>
    __device__ unsigned call() const {
        return Class::max_velocity;
    }
};

struct RoadCells {
    StreetGraph graph;
    unsigned const* first;    // cell of each street, and the number of cells
    unsigned char* occupied;  // per cell
    unsigned* entering;       // per street: the smallest priority of those that ask for its first cell
    unsigned streets;
    unsigned long long seed;
};

struct ClearEntering {
    unsigned* entering;
    __device__ void operator()(unsigned street, unsigned) const { entering[street] = ~0u; }
};

// Rules 1 to 3, and the request of rule 4.
template <class Objects>
struct PlanVehicle {
    Objects vehicles;
    RoadCells roads;

    __device__ void operator()(unsigned id, unsigned tick) const {
        using F = VehicleField;
        TickWords words(roads.seed, id, tick);
        unsigned const street = vehicles.template get<F::street>(id);
        unsigned const place = roads.first[street] + vehicles.template get<F::cell>(id);
        unsigned const cells_ahead = roads.first[street + 1] - place - 1;
        unsigned const fastest = VehicleClasses::call(vehicles.template get<F::tag>(id), MaxVelocity{});
        unsigned velocity = vehicles.template get<F::velocity>(id) + 1u;
        velocity = velocity < fastest ? velocity : fastest;
        unsigned free = 0;
        while (free < velocity && free < cells_ahead && roads.occupied[place + free + 1] == 0) {
            ++free;
        }
        unsigned next = no_street;
        if (velocity > free && free == cells_ahead) {
            unsigned const neighbour = random_neighbour(roads.graph, street, words);
            next = roads.occupied[roads.first[neighbour]] == 0 ? neighbour : no_street;
        }
        unsigned const gap = free + (next != no_street ? 1u : 0u);
        velocity = velocity < gap ? velocity : gap;
        if (random::LOCKSTEP_MACHINE::bounded(words, 5) == 0 && velocity > 0) {
            --velocity;
        }
        next = velocity > free ? next : no_street;
        if (next != no_street) {
            atomicMin(&roads.entering[next], priority_of(id, tick));
        }
        vehicles.template get<F::next>(id) = next;
        vehicles.template get<F::free>(id) = static_cast<unsigned char>(free);
        vehicles.template get<F::velocity>(id) = static_cast<unsigned char>(velocity);
    }
};

// Rule 4. A vehicle moves to a cell that was empty before the tick, so it never writes a cell that another one leaves.
template <class Objects>
struct MoveVehicle {
    Objects vehicles;
    RoadCells roads;

    __device__ void operator()(unsigned id, unsigned tick) const {
        using F = VehicleField;
        unsigned& street = vehicles.template get<F::street>(id);
        unsigned& cell = vehicles.template get<F::cell>(id);
        unsigned char& velocity = vehicles.template get<F::velocity>(id);
        unsigned const next = vehicles.template get<F::next>(id);
        unsigned const from = roads.first[street] + cell;
        if (next != no_street && roads.entering[next] == priority_of(id, tick)) {
            street = next;
            cell = 0;
        } else {
            if (next != no_street) {
                velocity = vehicles.template get<F::free>(id);
            }
            cell = cell + velocity;
        }
        unsigned const to = roads.first[street] + cell;
        if (to != from) {
            roads.occupied[from] = 0;
            roads.occupied[to] = 1;
        }
    }
};

template <class Objects>
struct BeginVehicle {
    Objects vehicles;
    RoadCells roads;
    AgentNumbering placement;

    __device__ void operator()(unsigned id, unsigned) const {
        using F = VehicleField;
        unsigned const place = static_cast<unsigned>(number_at(placement, id));
        unsigned const street = street_of_cell(roads.first, roads.streets, place);
        vehicles.template get<F::street>(id) = street;
        vehicles.template get<F::cell>(id) = place - roads.first[street];
        vehicles.template get<F::velocity>(id) = 0;
        vehicles.template get<F::tag>(id) = is_truck(roads.seed, id) ? 1 : 0;
        roads.occupied[place] = 1;
    }
};

template <class Objects>
struct StoreVehicle {
    Objects vehicles;
    unsigned* results;
    __device__ void operator()(unsigned id, unsigned) const {
        using F = VehicleField;
        results[2ull * id] = vehicles.template get<F::street>(id);
        results[2ull * id + 1] = vehicles.template get<F::cell>(id) << 8 | vehicles.template get<F::velocity>(id);
    }
};

template <class Objects>
struct VelocityOf {
    Objects vehicles;
    __device__ unsigned operator()(unsigned id) const { return vehicles.template get<VehicleField::velocity>(id); }
};

struct IsStanding {
    __device__ unsigned long long operator()(unsigned velocity) const { return velocity == 0 ? 1 : 0; }
};
struct AsLong {
    __device__ unsigned long long operator()(unsigned value) const { return value; }
};

namespace {

template <class Layout>
class VehiclesCase : public InteractionCase {
    using Objects = Vehicles<Layout>;

public:
    explicit VehiclesCase(bench::Problem const& problem)
        : InteractionCase(problem, 2),
          network_(network_of(problem.axes, problem.seed)),
          streets_(*network_),
          first_(network_->streets() + 1),
          entering_(network_->streets()),
          vehicles_(units()) {
        std::vector<unsigned> const first = first_cells(*network_);
        first_.upload(first);
        placement_ = placement_of(problem, first.back());
        occupied_ = Buffer<unsigned char>(first.back());
    }

    void reset() override {
        StoredCase::reset();
        occupied_.fill_bytes(0);
        each(units(), 0, 1, BeginVehicle<Objects>{vehicles_.objects(), roads(), placement_});
        synchronize({});
    }

private:
    RoadCells roads() {
        return {streets_.graph(), first_.data(), occupied_.data(), entering_.data(), network_->streets(), seed()};
    }
    void step(unsigned tick, simt::Stream stream) override {
        each(network_->streets(), 0, 1, ClearEntering{entering_.data()}, stream);
        each(units(), tick, tick + 1, PlanVehicle<Objects>{vehicles_.objects(), roads()}, stream);
        each(units(), tick, tick + 1, MoveVehicle<Objects>{vehicles_.objects(), roads()}, stream);
    }
    std::vector<std::uint64_t> count() override {
        auto const velocities = over_objects(units()).map(VelocityOf<Objects>{vehicles_.objects()});
        std::uint64_t const standing = velocities.map(IsStanding{}).reduce(AddCounts{}, 0ull);
        return {standing, units() - standing, velocities.map(AsLong{}).reduce(AddCounts{}, 0ull)};
    }
    // The 15 bytes of a vehicle are read and written, and two cells written.
    double bytes_per_tick() const override { return 32; }
    void complete() override {
        each(units(), 0, 1, StoreVehicle<Objects>{vehicles_.objects(), output().data()});
        synchronize({});
    }

    std::shared_ptr<Network const> network_;
    StreetBuffers streets_;
    Buffer<unsigned> first_, entering_;
    Buffer<unsigned char> occupied_;
    AgentNumbering placement_;
    Population<Objects> vehicles_;
};

template <class Layout>
void add_vehicles(bench::Experiment& experiment, std::string const& name, std::string const& layout) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        "nasch_" + name, bench::Role::ours, "nasch", "vehicles stored in " + layout,
        [](bench::Problem const& problem) { return std::make_unique<VehiclesCase<Layout>>(problem); },
        [](bench::Axes const& axes) { return interaction_unsupported_reason(axes, "nasch"); }));
}

}  // namespace

void add_nasch(bench::Experiment& experiment) {
    add_vehicles<Columns>(experiment, "columns", "columns");
    add_vehicles<Rows<>>(experiment, "rows", "structures");
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
