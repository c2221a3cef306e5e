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
    LargeVector<TermId> const reached = reached_terms(terms, input);
    std::size_t at = words.size();
    std::uint64_t granules = at / 4;
    for (TermId const term : reached)
        granules += granules_of(terms.arguments(term).size());
    if (granules > max_granules)
        throw bench::Error("the input is too large for this engine", "it has over 4 billion nodes");
    words.resize(4 * granules);  // an upper bound, because constants have no node
    LargeVector<unsigned> offset(std::size_t{input} + 1);
    for (TermId const term : reached) {
        SymbolId const symbol = terms.symbol(term);
        auto const arguments = terms.arguments(term);
        bool const defined = system.symbols[symbol].defined;
        if (arguments.empty() && !defined) {
            offset[term] = symbol;
            continue;
        }
        offset[term] = static_cast<unsigned>(at / 4);
        unsigned* const node = words.data() + at;
        unsigned mark = defined ? pending_mark : 0;
        std::size_t length = 1;
        for (TermId const argument : arguments) {
            node[length++] = offset[argument];
            mark |= words[4 * std::size_t{offset[argument]}] & pending_mark;
        }
        node[0] = symbol | mark;
        at += 4 * granules_of(arguments.size());
        std::fill(node + length, words.data() + at, 0u);
    }
    words.resize(at);
    root = offset[input];
}

}  // namespace lockstep::term_rewriting::fast
