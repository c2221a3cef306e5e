#include "reference_cpu/term_rewriting/system.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace lockstep::term_rewriting {

namespace {

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

}  // namespace

TermId Terms::variable(std::uint32_t number) {
    nodes_.push_back({number | variable_mark, 0, arguments_.size()});
    return static_cast<TermId>(nodes_.size() - 1);
}

TermId Terms::application(SymbolId symbol, std::span<TermId const> arguments) {
    if (nodes_.size() >= std::numeric_limits<TermId>::max())
        throw std::length_error("more than 2^32 terms");
    nodes_.push_back({symbol, static_cast<std::uint32_t>(arguments.size()), arguments_.size()});
    arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
    return static_cast<TermId>(nodes_.size() - 1);
}

std::vector<std::vector<RuleId>> System::rules_of_symbols() const {
    std::vector<std::vector<RuleId>> of(symbols.size());
    for (RuleId rule = 0; rule < rules.size(); ++rule)
        of[terms.symbol(rules[rule].left)].push_back(rule);
    return of;
}

// Ids ascend from arguments to whole, so marking downwards and collecting upwards is enough.
std::vector<TermId> reached_terms(Terms const& terms, TermId root) {
    std::vector<bool> reached(std::size_t{root} + 1, false);
    reached[root] = true;
    std::size_t count = 0;
    for (std::size_t term = std::size_t{root} + 1; term-- > 0;) {
        if (!reached[term])
            continue;
        ++count;
        for (TermId const argument : terms.arguments(static_cast<TermId>(term)))
            reached[argument] = true;
    }
    std::vector<TermId> found;
    found.reserve(count);
    for (std::size_t term = 0; term <= root; ++term) {
        if (reached[term])
            found.push_back(static_cast<TermId>(term));
    }
    return found;
}

bool equal_terms(Terms const& left_terms, TermId left, Terms const& right_terms, TermId right) {
    // A pair that was compared once is not compared again, or shared graphs would take exponential time.
    std::unordered_set<std::uint64_t> seen;
    std::vector<std::pair<TermId, TermId>> open = {{left, right}};
    while (!open.empty()) {
        auto const [a, b] = open.back();
        open.pop_back();
        if (left_terms.is_variable(a) != right_terms.is_variable(b) || left_terms.symbol(a) != right_terms.symbol(b))
            return false;
        std::span<TermId const> const of_a = left_terms.arguments(a);
        std::span<TermId const> const of_b = right_terms.arguments(b);
        if (of_a.size() != of_b.size())
            return false;
        if (of_a.empty() || !seen.insert(std::uint64_t{a} << 32 | b).second)
            continue;
        for (std::size_t i = 0; i < of_a.size(); ++i)
            open.emplace_back(of_a[i], of_b[i]);
    }
    return true;
}

std::uint64_t digest_of(Terms const& terms, TermId root) {
    std::vector<std::uint64_t> digests(std::size_t{root} + 1);
    for (TermId const term : reached_terms(terms, root)) {
        std::uint64_t digest = mixed(std::uint64_t{terms.symbol(term)} + 0x9e3779b97f4a7c15u);
        for (TermId const argument : terms.arguments(term))
            digest = mixed(digest * 3 + digests[argument]);
        digests[term] = digest;
    }
    return digests[root];
}

std::uint64_t tree_size(Terms const& terms, TermId root) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> sizes(std::size_t{root} + 1);
    for (TermId const term : reached_terms(terms, root)) {
        std::uint64_t size = 1;
        for (TermId const argument : terms.arguments(term))
            size = sizes[argument] > most - size ? most : size + sizes[argument];
        sizes[term] = size;
    }
    return sizes[root];
}

}  // namespace lockstep::term_rewriting
