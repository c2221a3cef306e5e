#include "kernels/term_rewriting/fast/heap_input.hpp"

#include <algorithm>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting::fast {

HeapInput::HeapInput(Program const& program, System const& system, Terms const& terms, TermId input,
                     std::size_t max_roots) {
    std::size_t const symbols = program.symbols.size();
    words_.assign(std::size_t{4} * program.constants_end, 0);
    for (std::size_t symbol = 0; symbol < symbols; ++symbol)
        words_[4 * symbol] = static_cast<unsigned>(symbol);
    std::size_t at = 4 * symbols;
    for (Constant const& constant : program.constants) {
        words_[at] = constant.symbol;
        std::copy(constant.arguments.begin(), constant.arguments.end(), words_.begin() + at + 1);
        at += 4 * granules_of(constant.arguments.size());
    }
    find_roots(program, add_terms(system, terms, input), max_roots);
}

HeapInput::References HeapInput::add_terms(System const& system, Terms const& terms, TermId input) {
    LargeVector<TermId> const reached = reached_terms(terms, input);
    std::size_t const begin = words_.size();
    std::size_t at = begin;
    std::uint64_t granules = at / 4;
    for (TermId const term : reached)
        granules += granules_of(terms.arguments(term).size());
    if (granules > max_granules)
        throw bench::Error("the input is too large for this engine", "it has over 4 billion nodes");
    words_.resize(4 * granules);  // an upper bound, because constants have no node
    References references(granules, 0);
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
        unsigned* const node = words_.data() + at;
        unsigned mark = defined ? pending_mark : 0;
        std::size_t length = 1;
        for (TermId const argument : arguments) {
            unsigned const number = offset[argument];
            node[length++] = number;
            mark |= words_[4 * std::size_t{number}] & pending_mark;
            references[number] = static_cast<unsigned char>(std::min(references[number] + 1, 2));
        }
        node[0] = symbol | mark;
        at += 4 * granules_of(arguments.size());
        std::fill(node + length, words_.data() + at, 0u);
    }
    words_.resize(at);
    input_ = offset[input];
    return references;
}

// Goes down from the input level by level, through constructors that nothing else refers to.
void HeapInput::find_roots(Program const& program, References const& references, std::size_t max_roots) {
    auto const word = [&](std::uint64_t at) { return words_[at]; };
    auto const is_pending = [&](unsigned term) { return (word(std::uint64_t{4} * term) & pending_mark) != 0; };
    std::vector<Root> level = {whole()};
    while (!level.empty() && roots_.size() + level.size() < max_roots) {
        std::vector<Root> next;
        for (Root const& root : level) {
            std::uint64_t const node = std::uint64_t{4} * root.term;
            SymbolInfo const& symbol = program.symbols[word(node) & ~pending_mark];
            if (!is_pending(root.term) || symbol.entry != 0 || references[root.term] > 1) {
                roots_.push_back(root);
                continue;
            }
            for (std::uint64_t at = node + 1; at <= node + symbol.arity; ++at) {
                if (is_pending(word(at)))
                    next.push_back({at, word(at)});
            }
        }
        level = std::move(next);
    }
    roots_.insert(roots_.end(), level.begin(), level.end());
}

unsigned HeapInput::put(std::span<unsigned const> results) {
    if (roots_.front().word == no_word || results.size() != roots_.size())
        return results.front();
    for (std::size_t i = 0; i < roots_.size(); ++i)
        words_[roots_[i].word] = results[i];
    return input_;
}

void HeapInput::reset() {
    for (Root const& root : roots_) {
        if (root.word != no_word)
            words_[root.word] = root.term;
    }
}

}  // namespace lockstep::term_rewriting::fast
