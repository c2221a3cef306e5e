// Program bodies with plain C++ objects: the reference and the variant bodies_objects.

#include <bit>
#include <cmath>
#include <memory>
#include <mutex>

#include "common/object_layout/maps.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/random/uniform.hpp"

namespace lockstep::object_layout {

namespace {

// Simulates all bodies, tick by tick.
std::vector<Body> simulate_bodies(bench::Problem const& problem) {
    std::vector<Body> bodies = make_bodies(problem);
    std::vector<Body*> all;
    for (Body& body : bodies)
        all.push_back(&body);
    for (std::int64_t tick = 0; tick < problem.axes.integer("ticks"); ++tick) {
        for (Body* const body : all)
            body->pull(all);
        for (Body* const body : all)
            body->move();
    }
    return bodies;
}

bench::UnitResult result_of(Body const& body) {
    return {std::bit_cast<std::uint32_t>(body.x),          std::bit_cast<std::uint32_t>(body.y),
            std::bit_cast<std::uint32_t>(body.z),          std::bit_cast<std::uint32_t>(body.velocity_x),
            std::bit_cast<std::uint32_t>(body.velocity_y), std::bit_cast<std::uint32_t>(body.velocity_z)};
}

}  // namespace

bench::UnitResult body_after(bench::Problem const& problem, std::uint64_t unit) {
    static std::mutex mutex;
    static bench::Problem kept;
    static std::vector<Body> bodies;
    std::lock_guard const lock(mutex);
    if (bodies.size() != problem.units || !(kept.axes == problem.axes) || kept.seed != problem.seed) {
        bodies = simulate_bodies(problem);
        kept = problem;
    }
    return unit < bodies.size() ? result_of(bodies[unit]) : bench::UnitResult();
}

namespace {

class BodiesCase : public bench::Case {
public:
    explicit BodiesCase(bench::Problem const& problem) : Case(problem), problem_(problem) {}
    void reset() override { bodies_.clear(); }
    void run(simt::Stream) override { bodies_ = simulate_bodies(problem_); }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units)
            found.push_back(result_of(bodies_[unit]));
        return found;
    }
    bench::Work work() const override {
        double const pairs =
            static_cast<double>(problem_.units) * static_cast<double>(problem_.units) * problem_.axes.real("ticks");
        return {pairs, 28.0 * static_cast<double>(problem_.units), 20 * pairs};
    }

private:
    bench::Problem problem_;
    std::vector<Body> bodies_;
};

}  // namespace

void Body::pull(std::vector<Body*> const& bodies) {
    float force_x = 0;
    float force_y = 0;
    float force_z = 0;
    for (Body const* const other : bodies) {
        float const to_x = other->x - x;
        float const to_y = other->y - y;
        float const to_z = other->z - z;
        float const square = to_x * to_x + to_y * to_y + to_z * to_z + softening;
        float const pull = other->mass / (square * std::sqrt(square));
        force_x += to_x * pull;
        force_y += to_y * pull;
        force_z += to_z * pull;
    }
    velocity_x += force_x * tick_length;
    velocity_y += force_y * tick_length;
    velocity_z += force_z * tick_length;
}

void Body::move() {
    x += velocity_x * tick_length;
    y += velocity_y * tick_length;
    z += velocity_z * tick_length;
}

std::vector<Body> make_bodies(bench::Problem const& problem) {
    if (problem.first_unit != 0)
        throw bench::Error("program bodies has no shards", "every body depends on all bodies",
                           "Run it without --shard.");
    std::vector<Body> bodies(problem.units);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        cpu::Philox words = cpu::Philox::stream(problem.seed, i, birth_of_agent);
        auto const uniform = [&] { return random::cpu::unit_float(words()); };
        Body& body = bodies[i];
        body.x = uniform();
        body.y = uniform();
        body.z = uniform();
        body.mass = uniform() * 0.01f;
    }
    return bodies;
}

std::string bodies_unsupported_reason(bench::Axes const& axes) {
    return axes.text("program") == "bodies" ? "" : "it supports only program bodies";
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_bodies_objects(bench::Experiment& experiment) {
    experiment.references.push_back({.name = "bodies", .unit = body_after, .first_unit_prepares = true});
    experiment.variants.push_back(bench::cpu::make_variant(
        "bodies_objects", bench::Role::reference, "bodies", "n bodies as plain C++ objects, one thread",
        [](bench::Problem const& problem) {
            body_after(problem, 0);
            return std::make_unique<BodiesCase>(problem);
        },
        bodies_unsupported_reason));
}

}  // namespace lockstep::object_layout::cpu
