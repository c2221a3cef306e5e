#pragma once
// A system as a program of the engine `fast`: the text of its steps, and the tables that steps and scheduler share.

#include <string>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/fast/layout.hpp"

namespace lockstep::term_rewriting::fast {

struct Options {
    // If a symbol's only rule matches any arguments, the generator replaces a call of the symbol by the rule's right
    // side, so a chain of such rules is one step. Otherwise each rule takes one turn.
    bool chains = true;
    unsigned block = 256;
    unsigned blocks = 0;        // 0: as many as can be resident
    bool cooperative = false;   // the emulator, too, runs all blocks at the same time
    unsigned first_blocks = 0;  // blocks that start first; 0: two thirds of them
    unsigned busy_rounds = 8;   // busy rounds after which the other blocks start
    // If a symbol is called from one place, apart from its own rules, its step becomes part of the caller's step.
    bool joins = true;
    // Makes a node before the last call if only that node needs the call's value, so that a spine takes one frame.
    // Slower for short spines.
    bool fills = false;
    // Parts of a right side that need nothing of each other are calls of their own (independent.hpp), and a lane walks
    // along a list itself while others take what it passes.
    bool independent_parts = false;
    // A turn of a warp serves the program counter that most lanes have. Otherwise it serves all lanes, one program
    // counter after the other.
    bool votes = true;
    unsigned stack_words = 128;  // per lane, at least
    // Turns per round: after nearly all lanes have been busy for long; while nearly all are busy; in general; while
    // work spreads to many lanes; and until half of the lanes have been busy.
    unsigned turns_saturated = 256;
    unsigned turns_busy = 64;
    unsigned turns_steady = 32;
    unsigned turns_spreading = 4;
    unsigned turns_startup = 2;
    // Work goes to other warps and blocks before it goes to other lanes of the same warp (schedule.hpp). turns_narrow:
    // turns per round while nearly all lanes wait and no lane has a call to share.
    bool warps_first = false;
    unsigned turns_narrow = 8;
    // Steps that a lane may take in one turn while it stays at its program counter.
    unsigned repeats = 1;
    unsigned age_rounds = 64;
    unsigned min_groups = 4;
    unsigned slice_rounds = 1u << 15;
    std::size_t max_roots = 1u << 16;   // about as many as a GPU has lanes; 1: the whole input is one task
    unsigned chunk = 256;               // granules that a lane allocates at a time, at most
    unsigned compact_above = 1u << 22;  // granules: a larger heap is collected before a normal form is fetched
};

// A closed constructor term that rules make. Its number is that of its first granule.
struct Constant {
    SymbolId symbol;
    std::vector<unsigned> arguments;  // numbers of terms
};

struct Program {
    std::string text;  // the steps and struct Program, in namespace lockstep::term_rewriting::<name>::<machine>
    std::string name;
    std::vector<SymbolInfo> symbols;
    std::vector<PcInfo> pcs;
    std::vector<unsigned> calls;                         // CallInfo and sources
    std::vector<std::vector<RuleId>> rules_of_counters;  // per counter: the rules that one count stands for
    std::vector<Constant> constants;                     // the first one's number is the number of symbols
    unsigned constants_end = 0;                          // first granule after them
    unsigned registers = 0;
    unsigned stack_words = 0;  // a power of two
};

// Throws bench::Error if a frame is too long for a lane's stack, or if there are too many steps.
Program make_program(System const& system, Options const& options);

inline unsigned granules_of(std::size_t arity) { return static_cast<unsigned>(simt::ceil_div(arity + 1, 4u)); }

}  // namespace lockstep::term_rewriting::fast
