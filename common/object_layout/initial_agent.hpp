#pragma once
// The state of an agent before the first tick, computed on the machine that simulates it. The reference computes it
// independently (traffic.cpp).

#include "common/object_layout/traffic_memory.hpp"
#include "harness/random/bounded.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct InitialAgent {
    unsigned tag;
    unsigned street;
    float progress;
    float max_velocity;
};

__device__ inline InitialAgent initial_agent_at(Classes const& classes, unsigned long long number) {
    InitialAgent initial = {0, 0, 0, 0};
    while (initial.tag + 1 < classes.types && number >= classes.first[initial.tag + 1]) {
        ++initial.tag;
    }
    Philox words = Philox::stream(classes.seed, number, birth_of_agent);
    initial.street = random::LOCKSTEP_MACHINE::bounded(words, classes.streets);
    initial.progress = static_cast<float>(random::LOCKSTEP_MACHINE::bounded(words, 10u));
    initial.max_velocity = static_cast<float>(65 + random::LOCKSTEP_MACHINE::bounded(words, 20u));
    return initial;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
