// Passerat-Palmbach et al. 2015, Figure 1: the warps on a multiprocessor take turns on its units. Figure 2: the lanes
// that one warp per replication leaves disabled, and for comparison one thread per replication. The kernels are the
// measured ones. Only the model differs: the random walk records the direction of each step, which is the branch that
// the lane takes, or the turn in which it takes the step.

#include "baselines/replications/threads.hpp"
#include "common/replications/job_case.hpp"
#include "experiments/replications/experiment.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/emulator/options.hpp"
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

unsigned* turns_taken = nullptr;  // by all warps of the launch

// The measured model, which records in which turn it takes each step. The lane gives its turn away at the atomic, as a
// warp does when it waits for memory.
struct WalkInTurns : Walk {
    template <class Engine>
    __device__ static void run(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        for (unsigned step = 0; step < items; ++step) {
            trace(step, "step", atomicAdd(turns_taken, 1u));
            Walk::run(point, stream, state, sums, 1);
        }
    }
};

// One block, with one replication for each of the first `lanes` lanes of its warps.
cli::Schematic schematic(char const* figure, char const* panel, char const* shows, LaneKernel kernel, unsigned threads,
                         unsigned lanes) {
    simt::LaunchShape const shape = {.grid = {1}, .block = {threads}};
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
    return {figure, panel, shows, {{"replications", replications}, {"threads", shape.block.x}}, recording.events()};
}

// In ascending order the warps take turns one after the other, as under the simplest policy of a GPU's scheduler.
cli::Schematic turns_of_warps() {
    simt::emulator::Options in_order = simt::emulator::options();
    in_order.order = simt::emulator::LaneOrder::ascending;
    simt::emulator::ScopedOptions const scope(in_order);
    Buffer<unsigned> turns(1);
    turns.fill_bytes(0);
    turns_taken = turns.data();
    return schematic("figure1", "turns of the warps", "four warps on one multiprocessor, each with one replication",
                     warps<WalkInTurns, random::LOCKSTEP_MACHINE::Taus88>, 128, 1);
}

}  // namespace
}  // namespace LOCKSTEP_MACHINE

std::vector<cli::Schematic> schematics() {
    using namespace LOCKSTEP_MACHINE;
    using random::LOCKSTEP_MACHINE::Taus88;
    return {
        turns_of_warps(),
        schematic("figure2", "a warp per replication", "two warps, and one lane of each works: no step diverges",
                  warps<TracedWalk, Taus88>, 64, 1),
        schematic("figure2", "a thread per replication", "all lanes work: at each step, a warp takes several branches",
                  threads<TracedWalk, Taus88>, 64, 32),
    };
}

}  // namespace lockstep::replications
