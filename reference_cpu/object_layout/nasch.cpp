// The reference of program nasch: streets own their cells, which point at vehicles. All vehicles plan before one moves,
// and each moves to a cell of its own, so the reference takes ranges of vehicles and streets on all cores. The variant
// takes all of them on one thread.

#include "common/object_layout/nasch.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/object_layout/cores.hpp"

namespace lockstep::object_layout {

namespace {

struct Vehicle;

struct Road {
    std::vector<Vehicle*> cells;
    std::vector<Vehicle*> asking;  // for the first cell
};

struct Vehicle {
    virtual ~Vehicle() = default;
    virtual unsigned max_velocity() const = 0;

    unsigned number = 0;
    Road* road = nullptr;
    unsigned cell = 0;
    unsigned velocity = 0;

    // The empty cells ahead on this road.
    unsigned free_cells() const {
        unsigned free = 0;
        while (cell + free + 1 < road->cells.size() && road->cells[cell + free + 1] == nullptr)
            ++free;
        return free;
    }
    void move_to(Road* other, unsigned place) {
        road->cells[cell] = nullptr;
        road = other;
        cell = place;
        road->cells[cell] = this;
    }
};

struct CarVehicle : Vehicle {
    unsigned max_velocity() const override { return max_velocity_of_car; }
};
struct TruckVehicle : Vehicle {
    unsigned max_velocity() const override { return max_velocity_of_truck; }
};

class Roads {
public:
    Roads(bench::Problem const& problem, Cores cores)
        : seed_(problem.seed),
          cores_(cores),
          network_(network_of(problem.axes, problem.seed)),
          roads_(network_->streets()) {
        std::vector<unsigned> const first = first_cells(*network_);
        for (unsigned street = 0; street < network_->streets(); ++street)
            roads_[street].cells.resize(first[street + 1] - first[street]);
        AgentNumbering const placement = placement_of(problem, first.back());
        for (unsigned number = 0; number < problem.units; ++number) {
            auto const cell = static_cast<unsigned>(cpu::number_at(placement, number));
            unsigned const street = cpu::street_of_cell(first.data(), network_->streets(), cell);
            add(number, roads_[street], cell - first[street]);
        }
    }

    void tick(unsigned tick) {
        std::vector<Plan> plans(vehicles_.size());
        for_each_index(cores_, vehicles_.size(), [&](std::size_t i) { plans[i] = plan(*vehicles_[i], tick); });
        for (std::unique_ptr<Vehicle> const& vehicle : vehicles_) {
            if (Road* const next = plans[vehicle->number].next)
                next->asking.push_back(vehicle.get());
        }
        std::vector<char> enters(vehicles_.size());
        for_each_index(cores_, roads_.size(), [&](std::size_t i) {
            std::vector<Vehicle*> const& asking = roads_[i].asking;
            if (!asking.empty())
                enters[(*std::min_element(asking.begin(), asking.end(), before(tick)))->number] = 1;
        });
        // All plans were made before anybody moves, and no two vehicles move to one cell.
        for_each_index(cores_, roads_.size(), [&](std::size_t i) {
            for (Vehicle* const vehicle : roads_[i].asking) {
                if (enters[vehicle->number] != 0)
                    vehicle->move_to(&roads_[i], 0);
                else
                    vehicle->velocity = plans[vehicle->number].free;
            }
            roads_[i].asking.clear();
        });
        for_each_index(cores_, vehicles_.size(), [&](std::size_t i) {
            Vehicle& vehicle = *vehicles_[i];
            if (enters[vehicle.number] == 0)
                vehicle.move_to(vehicle.road, vehicle.cell + vehicle.velocity);
        });
    }

    std::vector<std::uint64_t> count() const {
        std::atomic<std::uint64_t> standing = 0;
        std::atomic<std::uint64_t> cells_moved = 0;
        for_each_range(cores_, vehicles_.size(), [&](std::size_t first, std::size_t last) {
            std::uint64_t slow = 0;
            std::uint64_t sum = 0;
            for (std::size_t i = first; i < last; ++i) {
                slow += vehicles_[i]->velocity == 0 ? 1 : 0;
                sum += vehicles_[i]->velocity;
            }
            standing += slow;
            cells_moved += sum;
        });
        return {standing, vehicles_.size() - standing, cells_moved};
    }
    Simulated result() const {
        Simulated simulated;
        for (std::unique_ptr<Vehicle> const& vehicle : vehicles_) {
            simulated.results.push_back(static_cast<unsigned>(vehicle->road - roads_.data()));
            simulated.results.push_back(vehicle->cell << 8 | vehicle->velocity);
        }
        return simulated;
    }

private:
    struct before {
        unsigned tick;
        explicit before(unsigned now) : tick(now) {}
        bool operator()(Vehicle const* left, Vehicle const* right) const {
            return cpu::priority_of(left->number, tick) < cpu::priority_of(right->number, tick);
        }
    };

    void add(unsigned number, Road& road, unsigned cell) {
        std::unique_ptr<Vehicle> vehicle;
        if (cpu::is_truck(seed_, number))
            vehicle = std::make_unique<TruckVehicle>();
        else
            vehicle = std::make_unique<CarVehicle>();
        vehicle->number = number;
        vehicle->road = &road;
        vehicle->cell = cell;
        road.cells[cell] = vehicle.get();
        vehicles_.push_back(std::move(vehicle));
    }

    struct Plan {
        unsigned free = 0;     // empty cells on the vehicle's road
        Road* next = nullptr;  // the road for whose first cell it asks
    };

    // Rules 1 to 3.
    Plan plan(Vehicle& vehicle, unsigned tick) {
        StreetGraph const graph = {network_->offset.data(), network_->degree.data(), network_->contents.data()};
        cpu::TickWords words(seed_, vehicle.number, tick);
        unsigned const wanted = std::min(vehicle.velocity + 1, vehicle.max_velocity());
        unsigned const free = vehicle.free_cells();
        bool const to_end = vehicle.cell + free + 1 == vehicle.road->cells.size();
        Road* next = nullptr;
        if (wanted > free && to_end) {
            auto const street = static_cast<unsigned>(vehicle.road - roads_.data());
            Road* const neighbour = &roads_[cpu::random_neighbour(graph, street, words)];
            next = neighbour->cells[0] == nullptr ? neighbour : nullptr;
        }
        vehicle.velocity = std::min(wanted, free + (next != nullptr ? 1 : 0));
        if (random::cpu::bounded(words, 5) == 0 && vehicle.velocity > 0)
            --vehicle.velocity;
        return {free, vehicle.velocity > free ? next : nullptr};
    }

    std::uint64_t seed_;
    Cores cores_;
    std::shared_ptr<Network const> network_;
    std::vector<Road> roads_;
    std::vector<std::unique_ptr<Vehicle>> vehicles_;
};

Simulated simulate_vehicles(bench::Problem const& problem, Cores cores) {
    refuse_shards(problem);
    Roads roads(problem, cores);
    History history = {roads.count()};
    for (unsigned tick = 0; tick < static_cast<unsigned>(problem.axes.integer("ticks")); ++tick) {
        roads.tick(tick);
        history.push_back(roads.count());
    }
    Simulated simulated = roads.result();
    simulated.history = std::move(history);
    return simulated;
}

}  // namespace

std::vector<unsigned> first_cells(Network const& network) {
    std::vector<unsigned> first = {0};
    std::uint64_t cells = 0;
    for (float const length : network.length) {
        cells += static_cast<std::uint64_t>(std::max(1.0f, std::floor(length)));
        if (cells > 0x7fffffff) {
            throw bench::Error("the streets have too many cells", "the limit is 2^31 - 1, one per unit of length",
                               "Give shorter streets.");
        }
        first.push_back(static_cast<unsigned>(cells));
    }
    return first;
}

AgentNumbering placement_of(bench::Problem const& problem, unsigned cells) {
    if (problem.units > cells) {
        throw bench::Error("the vehicles do not fit onto the streets",
                           std::to_string(problem.units) + " vehicles, " + std::to_string(cells) + " cells",
                           "Give fewer elements or more streets.");
    }
    return {0, cells, shuffle_bits(cells), problem.seed};
}

std::shared_ptr<Simulated const> vehicles_after(bench::Problem const& problem) {
    static KeptSimulation kept([](bench::Problem const& all) { return simulate_vehicles(all, Cores::all); });
    return kept.of(problem);
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_nasch(bench::Experiment& experiment) {
    experiment.references.push_back({.name = "nasch",
                                     .unit = [](bench::Problem const& problem,
                                                std::uint64_t unit) { return vehicles_after(problem)->result(unit); },
                                     .first_unit_prepares = true});
    experiment.variants.push_back(
        plain_objects_variant("nasch", "vehicles as plain C++ objects, one thread",
                              [](bench::Problem const& problem) { return simulate_vehicles(problem, Cores::one); }));
}

}  // namespace lockstep::object_layout::cpu
