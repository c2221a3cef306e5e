#pragma once
// The rewriter of Section 3 for one system, as source for both machines.

#include <cstddef>

#include "kernels/term_rewriting/device/kernel_text.hpp"
#include "reference_cpu/term_rewriting/system.hpp"

namespace lockstep::term_rewriting::as_printed {

struct Options {
    // Counts references and collects garbage. Without, every new term takes a fresh slot.
    bool collects = true;
    // Remembers the subterm that was last found not to be normal (Section 3, after Listing 4).
    bool shortcut = true;
    // Rules by decision trees in place of the nested tests of Listing 5.
    bool decision_trees = false;
    // A subterm that a rule keeps is not counted up and down again.
    bool net_references = false;
    // An instrumented program: bytes at the thread's own slot and elsewhere, and atomics. Slower.
    bool counts_traffic = false;

    // Of the run, not of the program.
    unsigned block = 256;         // threads a block
    std::size_t first_slots = 0;  // slots at first; 0: twice the input's
    bool traces = false;          // what each pass did, and its time
};

KernelText program_text(System const& system, Options const& options);

// Bytes of the columns a slot.
std::size_t bytes_per_slot(System const& system, Options const& options);

// The widths of two columns, in bytes.
std::size_t symbol_bytes(System const& system);
std::size_t last_bytes(System const& system);

}  // namespace lockstep::term_rewriting::as_printed
