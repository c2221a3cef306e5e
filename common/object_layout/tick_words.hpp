#pragma once
// The random words of mode live. Each agent has its own counter-based streams: draw d (0, 1, ...) of tick t is word t
// of the stream (seed, agent, d) of Philox4x32-7. A word therefore depends only on the agent's number and the tick, not
// on the object's address or the lane, and one call of Philox yields the first draws of four ticks.

#include "harness/random/philox.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

// Streams for the initial state: agents, streets, the table of mode faithful, and the junctions of a city. No draw of a
// tick uses them.
inline constexpr unsigned birth_of_agent = 1u << 20;
inline constexpr unsigned birth_of_street = 2u << 20;
inline constexpr unsigned birth_of_table = 3u << 20;
inline constexpr unsigned birth_of_city = 4u << 20;

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using Philox = random::LOCKSTEP_MACHINE::Philox4x32<7>;

__host__ __device__ inline unsigned word_of(random::Words4 const& words, unsigned index) {
    return index == 0 ? words.x : index == 1 ? words.y : index == 2 ? words.z : words.w;
}

// A random-number engine for the draws of one agent in one tick. The first word can be passed in if it is known
// already.
class TickWords {
public:
    using result_type = unsigned;

    __host__ __device__ TickWords(unsigned long long seed, unsigned long long agent, unsigned tick)
        : seed_(seed), agent_(agent), tick_(tick) {}
    __host__ __device__ TickWords(unsigned long long seed, unsigned long long agent, unsigned tick, unsigned first)
        : seed_(seed), agent_(agent), tick_(tick), first_(first), known_(true) {}

    __host__ __device__ static constexpr unsigned min() { return 0; }
    __host__ __device__ static constexpr unsigned max() { return 0xffffffffu; }
    __host__ __device__ unsigned operator()() {
        if (known_ && draw_ == 0) {
            draw_ = 1;
            return first_;
        }
        return word_of(Philox::at(seed_, agent_, draw_++, tick_ / 4), tick_ % 4);
    }

private:
    unsigned long long seed_;
    unsigned long long agent_;
    unsigned tick_;
    unsigned first_ = 0;
    bool known_ = false;
    unsigned draw_ = 0;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
