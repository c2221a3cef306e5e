// Passerat-Palmbach et al. 2015, Figure 2: the lanes that one warp per replication leaves disabled, and for comparison
// one thread per replication. The kernels are the measured ones. Only the model differs: the random walk records the
// direction of each step, which is the branch that the lane takes.

#include "baselines/replications/threads.hpp"
#include "common/replications/job_case.hpp"
#include "experiments/replications/experiment.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/replications/warps.hpp"

namespace lockstep::replications {
namespace LOCKSTEP_MACHINE {
namespace {

using namespace simt::LOCKSTEP_MACHINE;

constexpr unsigned steps = 6;

// The measured model, which records each step.
struct TracedWalk : Walk {
    template <class Engine>
    __device__ static void run(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        for (unsigned step = 0; step < items; ++step) {
            State const before = state;
            Walk::run(point, stream, state, sums, 1);
            trace(step, direction(before, state));
        }
    }

private:
    __device__ static char const* direction(State const& from, State const& to) {
        if (from.x != to.x)
            return to.x == (from.x + 1) % map_width ? "east" : "west";
        return to.y == (from.y + 1) % map_height ? "north" : "south";
    }
};

// One block, with one replication for each of the first `lanes` lanes of its warps.
cli::Schematic schematic(char const* panel, char const* shows, LaneKernel kernel, unsigned lanes) {
    simt::LaunchShape const shape = {.grid = {1}, .block = {64}};
    unsigned const replications = shape.block.x / warp_size * lanes;
    Buffer<Point> points(1);
    points.upload(std::vector{make_point(Model::walk, steps, 0.5, 30)});
    Buffer<unsigned> results(replications * Walk::words_per_result);
    JobParameters job;
    job.replications = replications;
    job.size = replications;
    job.points = points.data();
    simt::emulator::TraceRecording const recording;
    launch(panel, kernel, shape, {}, job, lanes, results.data());
    synchronize({});
    return {"figure2", panel, shows, {{"replications", replications}, {"threads", shape.block.x}}, recording.events()};
}

}  // namespace
}  // namespace LOCKSTEP_MACHINE

std::vector<cli::Schematic> schematics() {
    using namespace LOCKSTEP_MACHINE;
    using random::LOCKSTEP_MACHINE::Taus88;
    return {
        schematic("a warp per replication", "two warps, and one lane of each works: no step diverges",
                  warps<TracedWalk, Taus88>, 1),
        schematic("a thread per replication", "all lanes work: at each step, a warp takes several branches",
                  threads<TracedWalk, Taus88>, 32),
    };
}

}  // namespace lockstep::replications
