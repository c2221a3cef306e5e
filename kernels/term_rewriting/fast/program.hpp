#pragma once
// A system as a program of the engine `fast`: the text of its steps, and the tables that steps and scheduler share.

#include <string>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/fast/layout.hpp"
#include "kernels/term_rewriting/fast/options.hpp"

namespace lockstep::term_rewriting::fast {

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
    bool ramps = false;                                  // the program has the kernel of ramp.hpp
    unsigned registers = 0;
    unsigned stack_words = 0;  // a power of two
};

// Throws bench::Error if a frame is too long for a lane's stack, or if there are too many steps.
Program make_program(System const& system, Options const& options);

inline unsigned granules_of(std::size_t arity) { return static_cast<unsigned>(simt::ceil_div(arity + 1, 4u)); }

}  // namespace lockstep::term_rewriting::fast
