#pragma once
// The stream of a replication on the CPU: Philox, or Boost.Random's taus88, whose three components are seeded
// separately with the three words that also seed the harness's own engine.

#include <boost/random/linear_feedback_shift.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/xor_combine.hpp>
#include <cstdint>

#include "common/replications/workload.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/streams.hpp"
#include "harness/random/taus88.hpp"

namespace lockstep::replications {

inline boost::random::taus88 boost_taus88(std::uint32_t first, std::uint32_t second, std::uint32_t third) {
    using First = boost::random::linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>;
    using Second = boost::random::linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>;
    using Third = boost::random::linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>;
    using Pair = boost::random::xor_combine_engine<First, 0, Second, 0>;
    return boost::random::taus88(Pair(First(first), Second(second)), Third(third));
}

// Skips degenerate words, which would make a component yield only 0, and takes the next words of the same name
// (taus88.hpp).
inline boost::random::taus88 boost_stream(std::uint64_t seed, std::uint64_t replication, unsigned point) {
    for (unsigned use = 2;; ++use) {
        random::Words4 const words = random::cpu::naming_words(seed, replication, point, use);
        if (!random::cpu::Taus88::degenerate(words.x, words.y, words.z))
            return boost_taus88(words.x, words.y, words.z);
    }
}

// Calls function(engine).
template <class Function>
auto with_stream(Engine engine, std::uint64_t seed, std::uint64_t replication, unsigned point,
                 Function const& function) {
    if (engine == Engine::taus88) {
        boost::random::taus88 stream = boost_stream(seed, replication, point);
        return function(stream);
    }
    auto stream = random::cpu::Philox4x32<10>::stream(seed, replication, point);
    return function(stream);
}

}  // namespace lockstep::replications
