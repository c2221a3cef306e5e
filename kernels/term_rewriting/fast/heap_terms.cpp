#include "kernels/term_rewriting/fast/heap_terms.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

struct Written {
    HeapTerms const& heap;
    std::string_view constant_suffix;
    std::vector<std::string> names;

    SymbolId symbol(unsigned term) const { return heap.symbol(term); }
    std::size_t arguments(unsigned term) const { return heap.arguments(term); }
    unsigned argument(unsigned term, std::size_t index) const { return heap.argument(term, index); }
    void write_head(unsigned term, std::string& text) const {
        text += names[heap.symbol(term)];
        if (heap.arguments(term) == 0)
            text += constant_suffix;
    }
};

}  // namespace

void HeapTerms::write(unsigned root, PrintStyle const& style, Write const& write) const {
    Written view{*this, style.constant_suffix, {}};
    for (SymbolId symbol = 0; symbol < program_.symbols.size(); ++symbol)
        view.names.push_back(style.symbol(symbol));
    write_graph<unsigned>(view, root, style, write);
}

std::uint64_t HeapTerms::digest(unsigned root) const {
    return GraphDigest<unsigned, HeapTerms>(*this, input_granules_ + made_granules_).of(root);
}

TermId HeapTerms::add_to(Terms& terms, unsigned root) const {
    constexpr TermId none = ~TermId{0};
    std::vector<TermId> numbers(input_granules_ + made_granules_, none);
    std::vector<unsigned> open = {root};
    std::vector<TermId> named;
    while (!open.empty()) {
        unsigned const term = open.back();
        std::uint64_t const at = offset(term);
        if (numbers[at] != none) {
            open.pop_back();
            continue;
        }
        std::size_t const arity = arguments(term);
        bool ready = true;
        for (std::size_t i = arity; i-- > 0;) {
            if (numbers[offset(argument(term, i))] == none) {
                open.push_back(argument(term, i));
                ready = false;
            }
        }
        if (!ready)
            continue;
        named.clear();
        for (std::size_t i = 0; i < arity; ++i)
            named.push_back(numbers[offset(argument(term, i))]);
        numbers[at] = terms.application(symbol(term), named);
        open.pop_back();
    }
    return numbers[offset(root)];
}

}  // namespace lockstep::term_rewriting::fast
