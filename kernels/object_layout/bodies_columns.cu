// n bodies as the library's user writes them: a section in which every object reads all others.
// Columns are those of Section 4.3; with d the way from body i to body j, a section adds to the velocity of body i
//
//   tick_length * sum over j of mass_j d / (|d|^2 + softening)^(3/2)      in the order of ids; j = i adds 0
//
// What diverges: nothing. Bytes per tick: 16 loaded per pair, the same for all lanes; 24 loaded and 12 stored per body.
// Operations per pair: 18, with a square root and a division. Precondition: no body moves in the section.

#include <cmath>

#include "common/object_layout/maps.hpp"
#include "kernels/object_layout/body_columns.hpp"

#include "kernels/object_layout/bodies_case.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct PullBlock {
    BodyColumns bodies;

    __device__ void operator()(unsigned id, unsigned) const {
        float const x = bodies.x[id];
        float const y = bodies.y[id];
        float const z = bodies.z[id];
        float force_x = 0;
        float force_y = 0;
        float force_z = 0;
        for (unsigned other = 0; other < bodies.size; ++other) {
            float const to_x = bodies.x[other] - x;
            float const to_y = bodies.y[other] - y;
            float const to_z = bodies.z[other] - z;
            float const square = to_x * to_x + to_y * to_y + to_z * to_z + softening;
            float const pull = bodies.mass[other] / (square * sqrtf(square));
            force_x += to_x * pull;
            force_y += to_y * pull;
            force_z += to_z * pull;
        }
        bodies.velocity_x[id] = bodies.velocity_x[id] + force_x * tick_length;
        bodies.velocity_y[id] = bodies.velocity_y[id] + force_y * tick_length;
        bodies.velocity_z[id] = bodies.velocity_z[id] + force_z * tick_length;
    }
};

namespace {

void pull_by_objects(BodyColumns const& bodies, simt::Stream stream) {
    each(bodies.size, 0, 1, PullBlock{bodies}, stream);
}

}  // namespace

void add_bodies_columns(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        "bodies_columns", bench::Role::paper, "bodies", "n bodies through the library: columns, two sections per tick",
        [](bench::Problem const& problem) {
            body_after(problem, 0);
            return std::make_unique<BodiesCase>(problem, pull_by_objects);
        },
        bodies_unsupported_reason));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
