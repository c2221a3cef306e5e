#pragma once
// A launch of the tick p.first_tick in mode live, for many agents of two sorted classes (variant registers_one_tick).
// `word` is the tick's place among the four ticks that share a call of Philox.
//
// A warp has 128 neighbouring agents, four per lane. In a tick few of them reach the end of their street, but in nearly
// every warp some do, and for each of a lane's four agents others. So the ends of streets are not handled where they
// occur: lanes put them into a queue of the warp in shared memory and then take one each, so that most warps go through
// that code once.
//
// Bytes per agent: 8 read by a pedestrian, 12 by a car; 4 written, and 4 more at the end of a street. Words: one call
// of Philox per pedestrian, one per end of a street with neighbours. What diverges: the last round of the queue.

#include "harness/simt/shared_words.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/object_layout/registers_kernels.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned one_tick_block = 128;  // threads, at most
inline constexpr unsigned warp_agents = 128;     // four per lane
inline constexpr unsigned queue_bytes = 4 * warp_agents;

// Streets whose numbers fit into an entry of the queue, beside the place of the agent among those of its warp.
inline constexpr unsigned max_queued_streets = 1u << 25;

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// The first words of four pedestrians. Returns false if one might be rejected.
template <unsigned word>
__device__ inline bool first_words(TrafficParameters const& p, unsigned number, FourFields<unsigned>& words) {
    bool plain = true;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        words.at[i] = word_of(Philox::at(p.seed, number + i, 0, p.first_tick / 4), word);
        plain &= words.at[i] * 7 >= 7;
    }
    return plain;
}

// Adds an entry of each lane that is at the end of a street to the queue of `count` entries.
__device__ inline void enqueue(SharedWords<unsigned> const& queue, unsigned& count, bool at_end, unsigned entry) {
    unsigned const lanes = __ballot_sync(full_warp, at_end);
    if (at_end) {
        queue[count + rank_in(lanes, threadIdx.x % warp_size)] = entry;
    }
    count += static_cast<unsigned>(__popc(lanes));
}

// The agents in the queue enter their next streets.
template <unsigned Type, unsigned word>
__device__ inline void turn_all(TrafficParameters const& p, FarStreets const& streets,
                                SharedWords<unsigned> const& queue, unsigned count, unsigned first_of_warp) {
#pragma unroll 1
    for (unsigned at = threadIdx.x % warp_size; at < count; at += warp_size) {
        unsigned const entry = queue[at];
        StreetEnd const end = streets.end(entry / warp_agents);
        if (end.degree != 0) {
            unsigned const index = first_of_warp + entry % warp_agents;
            TickWords words(p.seed, static_cast<unsigned>(p.numbering.first_number) + index,
                            p.first_tick / 4 * 4 + word);
            if constexpr (!is_car(Type)) {
                words();  // its speed
            }
            unsigned const which = random::LOCKSTEP_MACHINE::bounded(words, end.degree);
            AgentAt<Soa>(p.agents, index).street() = streets.neighbor(end.offset + which);
        }
    }
}

// The tick of a warp whose 128 agents are of class `Type`; the lane has those from `first` on. Returns false, and does
// nothing, if a first word might be rejected, which is very rare: then the further draws have other numbers.
template <unsigned Type, unsigned word>
__device__ inline bool one_tick(TrafficParameters const& p, FarStreets const& streets, unsigned first,
                                SharedWords<unsigned> const& queue) {
    FourFields<float> progress = four_of<float>(p.agents, AgentField::progress, first);
    FourFields<unsigned> const street = four_of<unsigned>(p.agents, AgentField::street, first);
    FourFields<float> own = {};
    if constexpr (is_car(Type)) {
        own = four_of<float>(p.agents, AgentField::max_velocity, first);
    }
    __syncwarp();  // keeps all loads before what needs none of them
    FourFields<unsigned> words = {};
    bool plain = true;
    if constexpr (!is_car(Type)) {
        plain = first_words<word>(p, static_cast<unsigned>(p.numbering.first_number) + first, words);
    }
    FourFields<float> length = {};
    FourFields<float> allowed = {};
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        length.at[i] = streets.length(street.at[i]);
        if constexpr (is_car(Type)) {
            allowed.at[i] = streets.max_velocity(street.at[i]);
        }
    }
    unsigned const place = 4 * (threadIdx.x % warp_size);
    unsigned count = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        float moved = 0;
        if constexpr (is_car(Type)) {
            float const speed = (allowed.at[i] < own.at[i] ? allowed.at[i] : own.at[i]) * p.weather;
            moved = progress.at[i] + speed * (1.0f / 60.0f);
        } else {
            moved = progress.at[i] + walking_step(__umulhi(words.at[i], 7));
            moved = moved > 0.0f ? moved : 0.0f;
        }
        bool const at_end = moved >= length.at[i];
        progress.at[i] = at_end ? 0.0f : moved;
        enqueue(queue, count, at_end, street.at[i] * warp_agents + place + i);
    }
    // Asked here and not before, so that the loads are under way while Philox computes the words.
    if (!is_car(Type) && !__all_sync(full_warp, plain)) {
        return false;
    }
    four_of<float>(p.agents, AgentField::progress, first) = progress;
    __syncwarp();
    turn_all<Type, word>(p, streets, queue, count, first - place);
    return true;
}

template <unsigned word>
__global__ void __launch_bounds__(one_tick_block)
    one_tick_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ PackedNetwork const network) {
    auto const queue = shared_words_in_register<unsigned>(threadIdx.x / warp_size * queue_bytes);
    unsigned const first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    unsigned const first_of_warp = first / warp_agents * warp_agents;
    FarStreets const streets(network);
    bool done = false;
    if (first_of_warp + warp_agents <= network.first_pedestrian) {
        done = one_tick<0, word>(p, streets, first, queue);
    } else if (first_of_warp >= network.first_pedestrian && first_of_warp + warp_agents <= p.end_job) {
        done = one_tick<1, word>(p, streets, first, queue);
    }
    if (!done) {
        for (unsigned index = first; index < p.end_job && index < first + 4; ++index) {
            run_job<Live, 2, Soa, Ticks::one>(p, streets, index);
        }
    }
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
