// Passerat-Palmbach et al. 2015, Figure 2: the lanes that a warp-level replication leaves disabled, beside a thread a
// replication.

#include "harness/cli/schematic.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/trace.hpp"

namespace lockstep::schematics::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

// A replication whose steps take either of two branches, at random.
__device__ inline void replicate(unsigned replication) {
    unsigned x = replication * 2654435761u + 12345u;
    for (unsigned step = 0; step < 6; ++step) {
        x = x * 1664525u + 1013904223u;
        trace(step, (x >> 31) != 0 ? "left" : "right", replication);
    }
}

__global__ void warp_level(unsigned replications) {
    unsigned const replication = thread_rank() / warp_size;
    if (lane_id() == 0 && replication < replications) {
        replicate(replication);
    }
}

__global__ void thread_level(unsigned replications) {
    if (thread_rank() < replications) {
        replicate(thread_rank());
    }
}

std::vector<simt::emulator::TraceEvent> record_replications(char const* name, void (*kernel)(unsigned),
                                                            unsigned replications) {
    simt::emulator::TraceRecording const recording;
    launch(name, kernel, {.grid = {1}, .block = {2 * warp_size}}, {}, replications);
    synchronize({});
    return recording.events();
}

}  // namespace

std::vector<Schematic> replications() {
    return {
        {"replications",
         "figure2",
         "a warp a replication",
         "two warps, one lane of each works: no step diverges",
         {{"replications", 2}, {"threads", 64}},
         record_replications("warp_level", warp_level, 2)},
        {"replications",
         "figure2",
         "a thread a replication",
         "the same kernel with all lanes: both branches at every step",
         {{"replications", 64}, {"threads", 64}},
         record_replications("thread_level", thread_level, 64)},
    };
}

}  // namespace lockstep::schematics::LOCKSTEP_MACHINE
