#include "kernels/term_rewriting/fast/heap_input.hpp"

#include <algorithm>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting::fast {

HeapInput::HeapInput(Program const& program, System const& system, Terms const& terms, TermId input) {
    std::size_t const symbols = program.symbols.size();
    words.assign(std::size_t{4} * program.constants_end, 0);
    for (std::size_t symbol = 0; symbol < symbols; ++symbol)
        words[4 * symbol] = static_cast<unsigned>(symbol);
    std::size_t at = 4 * symbols;
    for (Constant const& constant : program.constants) {
        words[at] = constant.symbol;
        std::copy(constant.arguments.begin(), constant.arguments.end(), words.begin() + at + 1);
        at += 4 * granules_of(constant.arguments.size());
    }
    add_terms(system, terms, input);
}

void HeapInput::add_terms(System const& system, Terms const& terms, TermId input) {
    std::vector<TermId> const reached = reached_terms(terms, input);
    std::uint64_t granules = words.size() / 4;
    for (TermId const term : reached)
        granules += granules_of(terms.arguments(term).size());
    if (granules > most_granules)
        throw bench::Error("the input is too large for this engine", "it has over 4 billion nodes");
    words.reserve(4 * granules);
    std::vector<unsigned> place(std::size_t{input} + 1);
    for (TermId const term : reached) {
        SymbolId const symbol = terms.symbol(term);
        auto const arguments = terms.arguments(term);
        if (arguments.empty() && !system.symbols[symbol].defined) {
            place[term] = symbol;
            continue;
        }
        place[term] = static_cast<unsigned>(words.size() / 4);
        std::size_t const at = words.size();
        words.resize(at + 4 * granules_of(arguments.size()), 0);
        unsigned mark = system.symbols[symbol].defined ? pending_mark : 0;
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            words[at + 1 + k] = place[arguments[k]];
            mark |= words[4 * std::size_t{place[arguments[k]]}] & pending_mark;
        }
        words[at] = symbol | mark;
    }
    root = place[input];
}

}  // namespace lockstep::term_rewriting::fast
