#pragma once
// An experiment that knows no paper: a unit's result is three words of (seed, unit, factor). Its variants are right, or
// wrong in one way each, so that the harness can be seen to find them out.

#include <atomic>

#include "harness/bench/variant.hpp"

namespace lockstep::toy {

// What the wrong variants need to know of the run, and what they tell of it.
struct Controls {
    int wrong_run = 0;                // the run() of a case, counted from 1, that wrong_once spoils
    std::atomic<int> references = 0;  // units that the reference computed
    bool interrupt = false;           // the variant `interrupts` sends SIGINT to the program
};
Controls& controls();

std::uint32_t toy_word(std::uint64_t seed, std::uint64_t unit, std::uint32_t factor, std::uint32_t word);

// Variants scalar, right, kernel (emulator and CUDA): right. wrong, wrong_once, wrong_once_bounded, unwritten,
// false_digest, throws, throws_late: not. unverified and unverifiable have no reference that could say. picky refuses
// style=fancy.
bench::Experiment make_toy();

namespace emulator {
void add_kernel(bench::Experiment& experiment);
}
namespace cuda {
void add_kernel(bench::Experiment& experiment);
}

}  // namespace lockstep::toy
