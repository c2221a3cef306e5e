// Dispatch as in `factored`, with delayed branches: "detecting and delaying divergent branches at runtime in order to
// execute them at a later time" (Section 6). The agents of a warp reach the ends of their streets in different ticks,
// so in nearly every tick some lanes are at an end, and the others wait for them. Here the lanes at an end wait
// instead, for a few ticks, and then enter their next streets together. So each lane counts its own ticks, and the
// lanes of a warp are in different ticks.
//
// A branch on the class of an object is not delayed. The class never changes, so a warp executes the method of each of
// its classes equally often with or without a delay.

#include "kernels/object_layout/dispatch.hpp"

#include "common/object_layout/traffic_case.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

// Ticks after which lanes that wait enter their next streets. A longer delay gathers more lanes, and each waits longer.
constexpr unsigned ticks_of_delay = 4;

template <class Mode, class Layout, unsigned Types>
__global__ void __launch_bounds__(1024) delayed_kernel(__grid_constant__ TrafficParameters const p) {
    unsigned const job = job_of_lane(p);
    bool const has_job = job != no_job;
    unsigned const index = has_job ? job : 0;  // a lane without a job takes part in the votes
    unsigned const end = p.first_tick + (has_job ? p.ticks : 0);
    unsigned long long const number = number_at(p.numbering, index);
    AgentAt<Layout> const agent(p.agents, index);
    unsigned const passed = agent.tag();
    unsigned tick = p.first_tick;
    TickWords words(p.seed, number, tick);
    bool waits = false;
    do {
        for (unsigned step = 0; step < ticks_of_delay; ++step) {
            if (waits || tick == end) {
                continue;
            }
            unsigned const tag = __is_same(Layout, Soa) ? passed : agent.tag();
            words = TickWords(p.seed, number, tick);
            float speed = 0;
            if (switch_over<Types>(tag, SpeedOnce<Mode, Layout>{p, index, words, speed})) {
                waits = reaches_end<Mode, true, Layout>(p, agent, speed);
            } else {
                atomicAdd(p.unknown, 1u);
            }
            tick += waits ? 0 : 1;
        }
        if (waits) {
            enter_next<Mode, Layout>(p, agent, words);
            waits = false;
            ++tick;
        }
    } while (__any_sync(full_warp, tick < end));
}

struct DelayedFamily {
    template <class Mode, class Layout, unsigned Types>
    static TrafficKernel kernel() {
        return delayed_kernel<Mode, Layout, Types>;
    }
};

std::unique_ptr<bench::Case> make_delayed(TrafficRequest const& request) {
    return std::make_unique<TrafficCase>(
        "delayed", kernel_for<DelayedFamily>(request.traffic->mode, request.options.layout, request.traffic->types),
        request);
}

}  // namespace

void add_delayed(bench::Experiment& experiment) {
    experiment.variants.push_back(
        traffic_variant("delayed", bench::Role::baseline,
                        "factored with delayed branches: lanes at the end of a street wait for others", make_delayed,
                        classes_unsupported_reason, true));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
