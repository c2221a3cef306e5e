// Program bodies with the operations of gravity.hpp: the reference of bodies_tiles. Plain objects and one loop per
// body.

#include <bit>
#include <mutex>

#include "common/object_layout/gravity.hpp"
#include "common/object_layout/maps.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

namespace {

// The force of the bodies of one tile on a body, in the order of gravity.hpp.
Force force_of_tile(Body const& body, std::size_t place, std::vector<Body> const& bodies, std::size_t tile) {
    Force total = {0, 0, 0};
    for (std::size_t part = 0; part < parts_per_tile; ++part) {
        Force force = {0, 0, 0};
        for (std::size_t step = part * bodies_per_part; step < (part + 1) * bodies_per_part; ++step) {
            std::size_t const i = tile * bodies_per_tile + (place ^ step);
            if (i >= bodies.size())
                continue;
            float const x = bodies[i].x - body.x;
            float const y = bodies[i].y - body.y;
            float const z = bodies[i].z - body.z;
            float const pull = cpu::pulling_mass(bodies[i].mass) * cpu::pull_over(x, y, z, softening);
            cpu::add_force(x, y, z, pull, force);
        }
        total = cpu::sum_of(total, force);
    }
    return total;
}

Force force_on(std::size_t id, std::vector<Body> const& bodies) {
    Force force = {0, 0, 0};
    for (std::size_t tile = 0; tile * bodies_per_tile < bodies.size(); ++tile)
        force = cpu::sum_of(force, force_of_tile(bodies[id], id % bodies_per_tile, bodies, tile));
    return force;
}

Body pulled(std::size_t id, std::vector<Body> const& bodies) {
    Force const force = force_on(id, bodies);
    Body body = bodies[id];
    body.velocity_x += force.x * tick_length;
    body.velocity_y += force.y * tick_length;
    body.velocity_z += force.z * tick_length;
    return body;
}

// The bodies before the last tick.
std::vector<Body> bodies_before_last(bench::Problem const& problem, std::int64_t ticks) {
    std::vector<Body> bodies = make_bodies(problem);
    for (std::int64_t tick = 0; tick + 1 < ticks; ++tick) {
        std::vector<Body> next;
        for (std::size_t id = 0; id < bodies.size(); ++id) {
            next.push_back(pulled(id, bodies));
            next.back().move();
        }
        bodies = std::move(next);
    }
    return bodies;
}

}  // namespace

// A unit needs the last tick of its body only, so a sample of the units of one tick is cheap for any number of bodies.
bench::UnitResult body_in_parts_after(bench::Problem const& problem, std::uint64_t unit) {
    static std::mutex mutex;
    static bench::Problem kept;
    static std::vector<Body> bodies;
    std::lock_guard const lock(mutex);
    std::int64_t const ticks = problem.axes.integer("ticks");
    if (bodies.size() != problem.units || !(kept.axes == problem.axes) || kept.seed != problem.seed) {
        bodies = bodies_before_last(problem, ticks);
        kept = problem;
    }
    if (unit >= bodies.size())
        return {};
    Body body = bodies[unit];
    if (ticks > 0) {
        body = pulled(unit, bodies);
        body.move();
    }
    return {std::bit_cast<std::uint32_t>(body.x),          std::bit_cast<std::uint32_t>(body.y),
            std::bit_cast<std::uint32_t>(body.z),          std::bit_cast<std::uint32_t>(body.velocity_x),
            std::bit_cast<std::uint32_t>(body.velocity_y), std::bit_cast<std::uint32_t>(body.velocity_z)};
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_bodies_in_parts(bench::Experiment& experiment) {
    experiment.references.push_back(
        {.name = "bodies_in_parts", .unit = body_in_parts_after, .first_unit_prepares = true});
}

}  // namespace lockstep::object_layout::cpu
