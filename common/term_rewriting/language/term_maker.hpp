#pragma once
// Builds terms of a system from the names of its symbols.

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "harness/threads/in_threads.hpp"

namespace lockstep::term_rewriting {

class TermMaker {
public:
    // `share_numerals`: equal numerals become one term.
    TermMaker(System const& system, Terms& terms, bool share_numerals = false);

    // Throws bench::Error if the system has no symbol of that name.
    TermId make(std::string_view name, std::initializer_list<TermId> arguments = {}) {
        return terms_.application(symbol(name), {arguments.begin(), arguments.size()});
    }
    TermId number(std::uint64_t value);
    TermId list(std::vector<unsigned> const& values);

    // A full tree over leaves 0 .. 2^depth - 1.
    template <class Leaf>
    TermId tree(unsigned depth, Leaf const& leaf) {
        std::vector<TermId> open;  // subtrees of descending size: the 1 bits of the number of leaves so far
        for (std::uint64_t index = 0; index < std::uint64_t{1} << depth; ++index) {
            TermId term = leaf(index);
            for (std::uint64_t carry = index; (carry & 1) != 0; carry >>= 1) {
                term = make("Node", {open.back(), term});
                open.pop_back();
            }
            open.push_back(term);
        }
        return open.back();
    }

    // The same tree, with its parts built on all cores: leaf(maker, index). `max_number`: the largest number in it.
    template <class Leaf>
    TermId large_tree(unsigned depth, std::uint64_t max_number, Leaf const& leaf) {
        constexpr unsigned parts_depth = 5;
        unsigned const below = depth - parts_depth;
        std::vector<Terms> parts(std::size_t{1} << parts_depth);
        std::vector<TermId> roots(parts.size());
        threads::in_threads(parts.size(), parts.size(), [&](std::size_t const part) {
            TermMaker maker(system_, parts[part], share_numerals_);
            if (share_numerals_)
                maker.number(max_number);
            // A part that grows step by step touches twice the memory, so its first leaves predict its number of terms.
            constexpr std::uint64_t some = 16;
            roots[part] = maker.tree(below, [&](std::uint64_t index) {
                if (index == some)
                    parts[part].reserve((parts[part].size() << below) / some / 16 * 17);
                return leaf(maker, (std::uint64_t{part} << below) + index);
            });
        });
        if (share_numerals_)
            number(max_number);
        std::vector<TermId> const first = terms_.append(parts, numerals_);
        return tree(parts_depth, [&](std::uint64_t part) {
            return static_cast<TermId>(roots[part] - numerals_.size() + first[part]);
        });
    }

private:
    SymbolId symbol(std::string_view name);

    System const& system_;
    Terms& terms_;
    bool share_numerals_;
    std::string zero_;
    std::string successor_;
    std::string nil_;
    std::string cons_;
    std::vector<TermId> numerals_;  // the shared numerals
    std::map<std::string, SymbolId, std::less<>> symbols_;
};

}  // namespace lockstep::term_rewriting
