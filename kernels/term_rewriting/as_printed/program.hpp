#pragma once
// Generates the rewriter of Section 3 for one system, as source text for GPUs and the emulator.

#include <cstddef>

#include "common/term_rewriting/language/system.hpp"
#include "harness/jit/kernel_text.hpp"

namespace lockstep::term_rewriting::as_printed {

// Order in which a pass visits the terms.
enum class Order {
    topology,  // all slots, as in the paper
    binned,    // all slots, then the redexes grouped by head symbol
    worklist,  // only the listed terms, which are not normal
};

struct Options {
    Order order = Order::topology;
    // Counts references and collects garbage. Otherwise every new term takes a fresh slot.
    bool collects = true;
    // Remembers the subterm that was last found not to be normal (Section 3, after Listing 4).
    bool shortcut = true;
    // Matches rules with decision trees instead of the nested tests of Listing 5.
    bool decision_trees = false;
    // Leaves the reference count of a subterm that a rule keeps unchanged.
    bool net_references = false;
    // Allocates and frees slots with one atomic per warp instead of one per thread (Listing 6).
    bool aggregates = false;
    // Takes all indices that a step needs with one atomic instead of one per index (Listing 6).
    bool takes_together = false;
    // The most steps of one term in one pass: a thread continues if its step left only subterms that were normal before
    // the pass. The paper names kernel unrolling as future work (Section 1). Order::topology only.
    unsigned steps_per_pass = 1;
    // Counts the applications of each rule, and notes whether a pass has changed anything. The paper's kernel does
    // neither. Without it, the run reports no applications, and near the end of its memory it may end early.
    bool counts_rewrites = true;
    // Instruments the program, which makes it slower. It counts bytes at the thread's own slot and at others, atomics,
    // checks of subterms, and allocations.
    bool counts_traffic = false;

    // Options of the run, not of the program.
    unsigned block = 0;           // threads per block; 0: 256 on a GPU, 32 in the emulator
    std::size_t first_slots = 0;  // initial number of slots; 0: twice the input's, more on a GPU
    bool traces = false;          // records what each pass did, and its time
};

jit::KernelText program_text(System const& system, Options const& options);

// Widths of the columns hss and last_checked, in bytes.
std::size_t symbol_bytes(System const& system);
std::size_t last_bytes(System const& system);

}  // namespace lockstep::term_rewriting::as_printed
