#pragma once
// The rewriter of Section 3 for one system, as source for both machines.

#include <cstddef>

#include "common/term_rewriting/language/system.hpp"
#include "harness/jit/kernel_text.hpp"

namespace lockstep::term_rewriting::as_printed {

// In which order a pass goes through the terms.
enum class Order {
    topology,  // all slots: the paper's
    binned,    // all slots, then the redexes by head symbol
    worklist,  // a list of the terms that are not normal
};

struct Options {
    Order order = Order::topology;
    // Counts references and collects garbage. Otherwise every new term takes a fresh slot.
    bool collects = true;
    // Remembers the subterm that was last found not to be normal (Section 3, after Listing 4).
    bool shortcut = true;
    // Rules by decision trees in place of the nested tests of Listing 5.
    bool decision_trees = false;
    // The reference count of a subterm that a rule keeps does not change.
    bool net_references = false;
    // New slots are taken, and freed ones given back, by one atomic per warp in place of one per thread (Listing 6).
    bool aggregates = false;
    // An instrumented program, which is slower. It counts bytes at the thread's own slot and elsewhere, atomics, and
    // checks of subterms.
    bool counts_traffic = false;

    // Of the run, not of the program.
    unsigned block = 0;           // threads per block; 0: 256 on a GPU, 32 in the emulator
    std::size_t first_slots = 0;  // slots at first; 0: twice the input's
    bool traces = false;          // what each pass did, and its time
};

jit::KernelText program_text(System const& system, Options const& options);

// The widths of two columns, in bytes.
std::size_t symbol_bytes(System const& system);
std::size_t last_bytes(System const& system);

}  // namespace lockstep::term_rewriting::as_printed
