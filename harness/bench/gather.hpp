#pragma once
// Results of some units out of a device's memory: one copy to the host of what is asked for, wherever it lies. A sample
// of 150 000 of 67 million units would take as many copies, or one of everything.

#include "harness/bench/digest.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

// Word w of unit units[i], which counts from 0 within the layout, goes to gathered[i * words + w]. All in device
// memory; waits until it is done.
void gather_units(WordLayout const& layout, unsigned const* stored, unsigned long long const* units,
                  unsigned long long count, unsigned* gathered);

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
