// Program bodies with the operations of gravity.hpp: the reference of bodies_tiles. Plain objects and one loop per
// body.

#include <bit>
#include <mutex>

#include "common/object_layout/gravity.hpp"
#include "common/object_layout/maps.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

namespace {

Force force_on(Body const& body, std::vector<Body> const& bodies) {
    Force parts[force_parts] = {};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Body const& other = bodies[i];
        cpu::add_pull(other.x - body.x, other.y - body.y, other.z - body.z, other.mass, softening,
                      parts[i % force_parts]);
    }
    for (unsigned half = force_parts / 2; half > 0; half /= 2) {
        for (unsigned part = 0; part < half; ++part)
            parts[part] = cpu::sum_of(parts[part], parts[part + half]);
    }
    return parts[0];
}

Body pulled(Body body, std::vector<Body> const& bodies) {
    Force const force = force_on(body, bodies);
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
        for (Body const& body : bodies) {
            next.push_back(pulled(body, bodies));
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
        body = pulled(body, bodies);
        body.move();
    }
    return {std::bit_cast<std::uint32_t>(body.x),          std::bit_cast<std::uint32_t>(body.y),
            std::bit_cast<std::uint32_t>(body.z),          std::bit_cast<std::uint32_t>(body.velocity_x),
            std::bit_cast<std::uint32_t>(body.velocity_y), std::bit_cast<std::uint32_t>(body.velocity_z)};
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_bodies_in_parts(bench::Experiment& experiment) {
    experiment.references.push_back({"bodies_in_parts", body_in_parts_after});
}

}  // namespace lockstep::object_layout::cpu
