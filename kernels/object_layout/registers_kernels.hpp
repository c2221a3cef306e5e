#pragma once
// The kernels of the variant registers: agents with their state in registers for all ticks of the launch
// (register_agents.hpp), sorted by class in all kernels but one. They differ in where the streets are and in how many
// agents a lane has:
//
//   near       streets in shared memory; a block copies them once and takes several batches of agents
//   far        streets in global memory: small blocks, which spread few agents over all schedulers, and large networks
//   brief      streets in global memory, four agents per lane in 16-byte accesses: launches of few ticks
//   anywhere   streets in global memory; agents in any layout and order, and launches of one tick, whichever it is
//
// one_tick_kernel.hpp has the one for launches of a single tick.
//
// Bytes per agent and launch: 12 read (8 for pedestrians in brief, which needs no class tag), 4 or 8 written. What
// diverges: the ends of streets, and the number of streets that the cars of a warp pass.

#include "common/object_layout/register_agents.hpp"
#include "common/object_layout/traffic_memory.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// All ticks from the start of the simulation, or the tick p.first_tick.
enum class Ticks { from_start, one };

template <class Mode, class Layout, class Streets, Ticks ticks>
struct RunAgent {
    TrafficParameters const& p;
    Streets const& streets;
    unsigned index;

    template <unsigned Type>
    __device__ void run() const {
        AgentAt<Layout> const memory(p.agents, index);
        RegisterAgent<Streets> agent = {streets, p.seed, number_at(p.numbering, index), memory.progress(), 0, 0};
        agent.enter(memory.street());
        float const max_velocity = is_car(Type) ? memory.max_velocity() : 0.0f;
        if constexpr (ticks == Ticks::one) {
            run_one_tick<Type>(agent, max_velocity, p);
        } else {
            run_agent<Mode, Type>(agent, max_velocity, p);
        }
        memory.progress() = agent.progress;
        memory.street() = agent.street;
    }
};

template <class Mode, unsigned Types, class Layout = Soa, Ticks ticks = Ticks::from_start, class Streets>
__device__ inline void run_job(TrafficParameters const& p, Streets const& streets, unsigned index) {
    if (!switch_over<Types>(AgentAt<Layout>(p.agents, index).tag(),
                            RunAgent<Mode, Layout, Streets, ticks>{p, streets, index})) {
        atomicAdd(p.unknown, 1u);
    }
}

template <class Mode, unsigned Types>
__global__ void __launch_bounds__(512)
    near_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ PackedNetwork const network) {
    auto& shared = shared_memory<SharedNetwork<Mode, Types <= 2>>();
    copy_network(network, shared);
    NearStreets<Mode, Types <= 2> const streets(network, shared);
    for (unsigned job = blockIdx.x * blockDim.x + threadIdx.x; job < p.end_job; job += gridDim.x * blockDim.x) {
        run_job<Mode, Types>(p, streets, job);
    }
}

template <class Mode, unsigned Types>
__global__ void __launch_bounds__(512)
    far_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ PackedNetwork const network) {
    unsigned const job = blockIdx.x * blockDim.x + threadIdx.x;
    if (job < p.end_job) {
        run_job<Mode, Types>(p, FarStreets(network), job);
    }
}

// Two classes, in any layout and order.
template <class Mode, class Layout, Ticks ticks>
__global__ void __launch_bounds__(512)
    anywhere_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ PackedNetwork const network) {
    unsigned const index = job_of_lane(p);
    if (index != no_job) {
        run_job<Mode, 2, Layout, ticks>(p, FarStreets(network), index);
    }
}

template <class T>
struct __align__(16) FourFields {
    T at[4];
};

template <class T>
__device__ inline FourFields<T>& four_of(Objects const& objects, unsigned field, unsigned first) {
    return *reinterpret_cast<FourFields<T>*>(objects.column[field] + 4ull * first);
}

// Four agents of class `Type` from `first` on, a multiple of 4.
template <class Mode, unsigned Type>
__device__ inline void run_four(TrafficParameters const& p, FarStreets const& streets, unsigned first) {
    FourFields<float> progress = four_of<float>(p.agents, AgentField::progress, first);
    FourFields<unsigned> const street = four_of<unsigned>(p.agents, AgentField::street, first);
    FourFields<float> max_velocity = {};
    if constexpr (is_car(Type)) {
        max_velocity = four_of<float>(p.agents, AgentField::max_velocity, first);
    }
    FourFields<float> length = {};
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        length.at[i] = streets.length(street.at[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        RegisterAgent<FarStreets> agent = {streets,        p.seed,       number_at(p.numbering, first + i),
                                           progress.at[i], street.at[i], length.at[i]};
        run_agent<Mode, Type>(agent, max_velocity.at[i], p);
        progress.at[i] = agent.progress;
        if (agent.street != street.at[i]) {
            AgentAt<Soa>(p.agents, first + i).street() = agent.street;
        }
    }
    four_of<float>(p.agents, AgentField::progress, first) = progress;
}

// With two sorted classes an agent's index tells its class.
template <class Mode>
__global__ void __launch_bounds__(256)
    brief_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ PackedNetwork const network) {
    unsigned const first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    FarStreets const streets(network);
    if (first + 4 <= network.first_pedestrian) {
        run_four<Mode, 0>(p, streets, first);
    } else if (first >= network.first_pedestrian && first + 4 <= p.end_job) {
        run_four<Mode, 1>(p, streets, first);
    } else {
        for (unsigned index = first; index < p.end_job && index < first + 4; ++index) {
            run_job<Mode, 2>(p, streets, index);
        }
    }
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
