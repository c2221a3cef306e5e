#pragma once
// A toy experiment without a paper: a unit's result is three words that depend on (seed, unit, factor). Each variant is
// correct or has exactly one fault, which the harness must detect.

#include <atomic>

#include "harness/bench/variant.hpp"

namespace lockstep::toy {

// Inputs of the faulty variants, and what the variants record about a run.
struct Controls {
    int wrong_run = 0;                // the number, from 1, of the run() of a case in which wrong_once fails
    std::atomic<int> references = 0;  // units that the reference computed
    bool interrupt = false;           // if true, the variant `interrupts` sends SIGINT to the program
    bool device_is_lost = false;      // if true, every run fails; the variant `loses_device` sets it
};
Controls& controls();

std::uint32_t toy_word(std::uint64_t seed, std::uint64_t unit, std::uint32_t factor, std::uint32_t word);

// Correct variants: scalar, right, kernel (emulator and CUDA). Faulty ones: wrong, wrong_once, wrong_once_bounded,
// unwritten, false_digest, throws, throws_late, out_of_memory, out_of_device_memory, loses_device. unverified and
// unverifiable have no reference results. picky does not support style=fancy.
bench::Experiment make_toy();

namespace emulator {
void add_kernel(bench::Experiment& experiment);
}
namespace cuda {
void add_kernel(bench::Experiment& experiment);
}

}  // namespace lockstep::toy
