#pragma once
// Program families: creatures that live, die and have children. Nothing but the rules is shared by the reference, which
// has plain objects, and the kernels.
//
// A unit is a family: a creature and its descendants. A creature has a name, which names its random words, an energy,
// two traits and an age. In each tick, by its class and its next word w:
//
//   Grazer   energy <- energy + trait 0 / 2      dies if w < 2^30, has a child if w >= 3 2^30
//   Hunter   energy <- energy 3/4 + trait 1      dies if w < 2^29, has a child if w >= 7 2^29
//
// It grows older, up to 255. With a child, its energy is halved and the child gets the other half, the traits in
// reverse order, the age 0 and a new name, whose lowest bit tells the class. Births and deaths are equally likely, so
// the expected number of creatures stays. The result of a unit is the number of living members of the family and a sum
// over them.

#include <string>

#include "common/object_layout/tick_words.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

// Reference: simulates one family with plain objects.
bench::UnitResult family_after(bench::Problem const& problem, std::uint64_t unit);
std::string families_unsupported_reason(bench::Axes const& axes);

inline constexpr unsigned oldest_age = 255;

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

inline constexpr unsigned names_of_children = 1;  // the draw that names a child; draw 0 is the word of the tick

// The first member of a family.
struct Ancestor {
    unsigned long long name;
    float energy;
    float traits[2];
};

__host__ __device__ inline unsigned long long name_of(random::Words4 const& words) {
    return static_cast<unsigned long long>(words.x) << 32 | words.y;
}

__host__ __device__ inline Ancestor ancestor_of(unsigned long long seed, unsigned long long family) {
    random::Words4 const words = Philox::at(seed, family, birth_of_agent, 0);
    return {name_of(words),
            static_cast<float>(words.z % 1024) / 64.0f,
            {static_cast<float>(words.w % 256) / 256.0f, static_cast<float>(words.w / 256 % 256) / 128.0f}};
}

__host__ __device__ inline unsigned word_of_tick(unsigned long long seed, unsigned long long name, unsigned tick) {
    return Philox::at(seed, name, 0, tick).x;
}

__host__ __device__ inline unsigned long long name_of_child(unsigned long long seed, unsigned long long parent,
                                                            unsigned tick) {
    return name_of(Philox::at(seed, parent, names_of_children, tick));
}

// What a living creature adds to the sum of its family.
__host__ __device__ inline unsigned mark_of(unsigned long long name, float energy, float first, float second,
                                            unsigned age) {
    unsigned mark = static_cast<unsigned>(name) ^ static_cast<unsigned>(name >> 32);
    mark = (mark ^ __builtin_bit_cast(unsigned, energy)) * 0x9e3779b1u + age;
    mark = (mark ^ __builtin_bit_cast(unsigned, first)) * 0x85ebca77u;
    return (mark ^ __builtin_bit_cast(unsigned, second)) * 0xc2b2ae3du;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
