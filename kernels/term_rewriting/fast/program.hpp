#pragma once
// A system as a program of the engine `fast`: the text of its steps, and the tables that text and scheduler share.

#include <string>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/fast/layout.hpp"

namespace lockstep::term_rewriting::fast {

struct Options {
    // A call whose only rule takes any arguments is replaced by that rule's right side where the text is made, so a
    // chain of such rules is one step. Otherwise each is a turn of its own.
    bool chains = true;
    unsigned block = 256;
    unsigned blocks = 0;        // 0: all that can be resident
    unsigned first_blocks = 0;  // that begin; 0: two thirds of them
    unsigned busy_rounds = 8;   // after which the others do
    // Where a symbol is called from one place but by its own rules, its step is part of the caller's.
    bool joins = true;
    // A node that needs the last call's value alone is made before that call, and waits for it, so that a spine takes
    // one frame. Slower where spines are short.
    bool fills = false;
    // Of a warp, a turn is of the program counter that most lanes have. Otherwise it is of all lanes, one program
    // counter after the other.
    bool votes = true;
    unsigned stack_words = 128;  // of a lane, at least
    // Of a round: once nearly all lanes have been busy for long; while they are; in general; while work spreads to
    // many; and until half of the lanes were busy.
    unsigned turns_saturated = 256;
    unsigned turns_busy = 64;
    unsigned turns_steady = 32;
    unsigned turns_spreading = 4;
    unsigned turns_startup = 2;
    unsigned age_rounds = 64;
    unsigned min_groups = 4;
    unsigned slice_rounds = 1u << 15;
    unsigned chunk = 256;               // granules that a lane takes at once, at most
    unsigned compact_above = 1u << 22;  // granules: a heap of more is collected before a normal form is fetched
};

// A closed term of constructors that rules make; its node stands at its own number.
struct Constant {
    SymbolId symbol;
    std::vector<unsigned> arguments;  // numbers of terms
};

struct Program {
    std::string text;  // of steps, in namespace lockstep::term_rewriting::<name>::<machine>, as struct Program
    std::string name;
    std::vector<SymbolInfo> symbols;
    std::vector<PcInfo> pcs;
    std::vector<unsigned> calls;                         // CallInfo and sources
    std::vector<std::vector<RuleId>> rules_of_counters;  // that one count of each counter stands for
    std::vector<Constant> constants;                     // the first has the number of symbols
    unsigned constants_end = 0;                          // first granule behind them
    unsigned registers = 0;
    unsigned stack_words = 0;  // a power of two
};

// Throws bench::Error where a symbol has too many arguments for a lane's stack.
Program make_program(System const& system, Options const& options);

inline unsigned granules_of(std::size_t arity) { return static_cast<unsigned>(simt::ceil_div(arity + 1, 4u)); }

}  // namespace lockstep::term_rewriting::fast
