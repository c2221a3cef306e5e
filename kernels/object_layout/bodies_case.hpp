#pragma once
// n bodies through the library: the objects are traced and stored in columns, and each tick is two sections. Variants
// differ in the section that adds the forces. Include it in `.cu` files, after their kernels.

#include <functional>
#include <memory>
#include <utility>

#include "common/object_layout/maps.hpp"
#include "harness/bench/make_variant.hpp"
#include "kernels/object_layout/body_columns.hpp"
#include "kernels/object_layout/library/device_objects.hpp"
#include "kernels/object_layout/library/sections.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct MoveBodyBlock {
    BodyColumns bodies;

    __device__ void operator()(unsigned id, unsigned) const {
        bodies.x[id] = bodies.x[id] + bodies.velocity_x[id] * tick_length;
        bodies.y[id] = bodies.y[id] + bodies.velocity_y[id] * tick_length;
        bodies.z[id] = bodies.z[id] + bodies.velocity_z[id] * tick_length;
    }
};

inline ClassModel const& body_model() {
    static ClassModel const model = [] {
        ClassModel made;
        made.add<Body>("Body")
            .number("x", &Body::x)
            .number("y", &Body::y)
            .number("z", &Body::z)
            .number("velocity_x", &Body::velocity_x)
            .number("velocity_y", &Body::velocity_y)
            .number("velocity_z", &Body::velocity_z)
            .number("mass", &Body::mass);
        std::set<std::string> const moving = {"Body.x",          "Body.y",          "Body.z",
                                              "Body.velocity_x", "Body.velocity_y", "Body.velocity_z"};
        std::set<std::string> all = moving;
        all.insert("Body.mass");
        made.method("simulate", "Body", all, moving);
        return made;
    }();
    return model;
}

// Adds the forces of one tick to the velocities.
using PullBodies = std::function<void(BodyColumns const& bodies, simt::Stream stream)>;

class BodiesCase : public bench::Case {
public:
    BodiesCase(bench::Problem const& problem, PullBodies pull)
        : Case(problem),
          pull_(std::move(pull)),
          ticks_(static_cast<unsigned>(problem.axes.integer("ticks"))),
          bodies_(make_bodies(problem)) {
        std::vector<Body*> base;
        for (Body& body : bodies_)
            base.push_back(&body);
        Roots const roots = roots_of(std::span<Body* const>(base));
        first_image_ = trace(body_model(), roots, access_of(body_model(), roots, "simulate"));
    }

    // A fetch changes the image.
    void reset() override {
        objects_.reset();
        image_ = first_image_;
        objects_ = std::make_unique<DeviceObjects>(image_);
        objects_->begin_section();
    }
    void run(simt::Stream stream) override {
        if (bodies_.empty())
            return;
        auto const column = [&](char const* field) { return objects_->column<float>(std::string("Body.") + field); };
        unsigned const size = static_cast<unsigned>(bodies_.size());
        BodyColumns const columns = {column("x"),          column("y"),          column("z"),    column("velocity_x"),
                                     column("velocity_y"), column("velocity_z"), column("mass"), size};
        for (unsigned tick = 0; tick < ticks_; ++tick) {
            pull_(columns, stream);
            each(size, 0, 1, MoveBodyBlock{columns}, stream);
        }
        objects_->end_section();
    }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        if (!bodies_.empty())
            objects_->fetch();
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units) {
            Body const& body = bodies_[unit];
            bench::UnitResult result;
            for (float const value : {body.x, body.y, body.z, body.velocity_x, body.velocity_y, body.velocity_z})
                result.push_back(bits_of(value));
            found.push_back(std::move(result));
        }
        return found;
    }
    bench::Work work() const override {
        double const pairs = static_cast<double>(bodies_.size()) * static_cast<double>(bodies_.size()) * ticks_;
        return {pairs, 28.0 * static_cast<double>(bodies_.size()), 20 * pairs};
    }
    bool repeatable() const override { return false; }

private:
    static std::uint32_t bits_of(float value) {
        std::uint32_t bits = 0;
        __builtin_memcpy(&bits, &value, sizeof bits);
        return bits;
    }

    PullBodies pull_;
    unsigned ticks_;
    std::vector<Body> bodies_;
    ObjectImage first_image_;  // before the first tick
    ObjectImage image_;
    std::unique_ptr<DeviceObjects> objects_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
