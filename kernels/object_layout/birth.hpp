#pragma once
// What an agent is before the first tick, made where it will live. The reference has its own words for it
// (traffic.cpp).

#include "harness/random/bounded.hpp"
#include "kernels/object_layout/traffic_memory.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct Newborn {
    unsigned tag;
    unsigned street;
    float progress;
    float max_velocity;
};

__device__ inline Newborn newborn_at(Classes const& classes, unsigned long long number) {
    Newborn newborn = {0, 0, 0, 0};
    while (newborn.tag + 1 < classes.types && number >= classes.first[newborn.tag + 1]) {
        ++newborn.tag;
    }
    Philox words = Philox::stream(classes.seed, number, birth_of_agent);
    newborn.street = random::LOCKSTEP_MACHINE::bounded(words, classes.streets);
    newborn.progress = static_cast<float>(random::LOCKSTEP_MACHINE::bounded(words, 10u));
    newborn.max_velocity = static_cast<float>(65 + random::LOCKSTEP_MACHINE::bounded(words, 20u));
    return newborn;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
