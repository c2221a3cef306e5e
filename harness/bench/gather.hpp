#pragma once
// Gathers the results of selected units in device memory, so that one copy brings them to the host. Otherwise a sample
// of 150 000 of 67 million units would need 150 000 copies, or one copy of all units.

#include "harness/bench/digest.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

// Stores word w of unit units[i], counted from 0 within the layout, to gathered[i * words + w]. All arrays are in
// device memory. Blocks until the copy is complete.
void gather_units(WordLayout const& layout, unsigned const* stored, unsigned long long const* units,
                  unsigned long long count, unsigned* gathered);

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
