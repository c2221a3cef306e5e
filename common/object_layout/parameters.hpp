#pragma once
// The parameters of the kernels of the traffic simulation: objects in one of the layouts, the network, and the jobs.

#include "common/object_layout/no_job.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

// Objects of one class and its subclasses in memory. layouts.hpp defines the address of a field.
struct Objects {
    unsigned char* column[4] = {nullptr, nullptr, nullptr, nullptr};
    unsigned long long stride = 0;
};

// The mapping between indices and numbers of agents. An index is an agent's position in memory and in the base array; a
// number identifies the agent (traffic.hpp).
struct AgentNumbering {
    unsigned long long first_number = 0;  // the case holds agents first_number .. first_number + agents - 1
    unsigned agents = 0;
    unsigned half_bits = 0;  // half the bits of an index in the shuffle; 0: no shuffle
    unsigned long long seed = 0;
};

struct TrafficParameters {
    AgentNumbering numbering;
    Objects agents;
    Objects streets;
    unsigned const* array_offset = nullptr;  // Figure 6: a street's neighbours are an array object with an offset
    unsigned const* array_size = nullptr;    // and a size
    unsigned const* contents = nullptr;      // of all arrays, concatenated
    unsigned const* table = nullptr;         // mode faithful
    unsigned* unknown = nullptr;             // number of moves of agents with an unknown class
    unsigned long long seed = 0;
    unsigned const* jobs = nullptr;  // the job array; null: lane i takes index i
    unsigned first_job = 0;          // of this launch
    unsigned end_job = 0;
    unsigned table_size = 0;
    unsigned first_tick = 0;  // of this launch
    unsigned ticks = 0;       // of this launch
    float weather = 1;
};

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Returns the number of the agent at an index. The shuffle is a fixed permutation of 0 .. agents - 1: four rounds of a
// Feistel network on an even number of bits, repeated until the result is below `agents`.
__host__ __device__ inline unsigned long long number_at(AgentNumbering const& numbering, unsigned index) {
    if (numbering.half_bits == 0) {
        return numbering.first_number + index;
    }
    unsigned const mask = (1u << numbering.half_bits) - 1;
    unsigned value = index;
    do {
        unsigned left = value >> numbering.half_bits;
        unsigned right = value & mask;
        for (unsigned round = 0; round < 4; ++round) {
            unsigned mixed = (right + 1) * 0x9e3779b1u + round * 0x85ebca77u + static_cast<unsigned>(numbering.seed);
            mixed = (mixed ^ (mixed >> 15)) * 0x2c1b3c6du;
            unsigned const next = left ^ ((mixed ^ (mixed >> 13)) & mask);
            left = right;
            right = next;
        }
        value = left << numbering.half_bits | right;
    } while (value >= numbering.agents);
    return numbering.first_number + value;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
