#pragma once
// A system as a program of the engine `fast`: the text of its steps, and the tables that text and scheduler share.

#include <string>
#include <vector>

#include "kernels/term_rewriting/fast/layout.hpp"
#include "reference_cpu/term_rewriting/system.hpp"

namespace lockstep::term_rewriting::fast {

struct Options {
    // A call whose only rule takes any arguments is replaced by that rule's right side where the text is made, so a
    // chain of such rules is one step. Otherwise each is a turn of its own.
    bool chains = true;
    unsigned block = 256;
    unsigned blocks = 0;  // 0: all that can be resident
    unsigned many_turns = 8;
    unsigned few_turns = 2;
    unsigned age_rounds = 64;
    unsigned least_groups = 4;
    unsigned slice_rounds = 1u << 15;
    // Of a warp, each turn is of the program counter that most lanes have. Otherwise each turn is of all lanes.
    unsigned vote = 1;
    // Nodes of arguments that a step may look at are read at its start.
    bool look_first = true;
    bool share_steps = true;
    bool fills = true;
    unsigned inline_calls = 2;
    unsigned window = 32;
    unsigned stack_words = 64;  // of a lane, at least
    bool trace = false;
    unsigned given = 64;
    unsigned sleep = 500;
    unsigned any_share = 8;
    bool old_fences = false;
    unsigned resident = 0;  // blocks a multiprocessor that registers are limited for; 0: no limit
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
    std::string bounds;                                  // of the kernel's launch
    unsigned registers = 0;
    unsigned stack_words = 0;    // a power of two
    unsigned longest_frame = 0;  // words
    unsigned window = 0;         // words of each stack that are in shared memory; a power of two
};

// Throws bench::Error where a symbol has too many arguments for a lane's stack.
Program make_program(System const& system, Options const& options);

inline unsigned granules_of(std::size_t arity) { return static_cast<unsigned>((arity + 4) / 4); }

}  // namespace lockstep::term_rewriting::fast
