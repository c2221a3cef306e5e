#include "common/term_rewriting/language/system.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "common/term_rewriting/language/digest_graph.hpp"
#include "harness/threads/in_threads.hpp"

namespace lockstep::term_rewriting {

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

std::vector<TermId> Terms::append(std::span<Terms const> parts, std::span<TermId const> known) {
    std::vector<TermId> first;
    std::vector<std::size_t> first_argument;
    std::size_t nodes = nodes_.size();
    std::size_t arguments = arguments_.size();
    auto const known_arguments = [&](Terms const& part) {
        return known.size() < part.nodes_.size() ? part.nodes_[known.size()].first : part.arguments_.size();
    };
    for (Terms const& part : parts) {
        first.push_back(static_cast<TermId>(nodes));
        first_argument.push_back(arguments);
        nodes += part.nodes_.size() - known.size();
        arguments += part.arguments_.size() - known_arguments(part);
    }
    if (nodes > std::numeric_limits<TermId>::max())
        throw std::length_error("more than 2^32 terms");
    nodes_.resize(nodes);
    arguments_.resize(arguments);
    threads::in_threads(parts.size(), parts.size(), [&](std::size_t const i) {
        Terms const& part = parts[i];
        std::size_t const skipped = known_arguments(part);
        for (std::size_t node = known.size(); node < part.nodes_.size(); ++node) {
            Node moved = part.nodes_[node];
            moved.first += first_argument[i] - skipped;
            nodes_[first[i] + node - known.size()] = moved;
        }
        for (std::size_t at = skipped; at < part.arguments_.size(); ++at) {
            TermId const argument = part.arguments_[at];
            arguments_[first_argument[i] + at - skipped] =
                argument < known.size() ? known[argument] : static_cast<TermId>(argument - known.size() + first[i]);
        }
    });
    return first;
}

std::vector<std::vector<RuleId>> System::rules_of_symbols() const {
    std::vector<std::vector<RuleId>> of(symbols.size());
    for (RuleId rule = 0; rule < rules.size(); ++rule)
        of[terms.symbol(rules[rule].left)].push_back(rule);
    return of;
}

RuleCounts System::counts_of(std::span<std::uint64_t const> applications) const {
    RuleCounts counts;
    for (std::size_t rule = 0; rule < applications.size(); ++rule)
        (rules[rule].origin == Origin::user       ? counts.rewrites
         : rules[rule].origin == Origin::integers ? counts.operations
                                                  : counts.comparisons) += applications[rule];
    return counts;
}

// Arguments have smaller ids than the terms that contain them, so one pass downwards marks and one pass upwards
// collects.
LargeVector<TermId> reached_terms(Terms const& terms, TermId root) {
    LargeVector<unsigned char> reached(std::size_t{root} + 1, 0);
    reached[root] = 1;
    std::size_t count = 0;
    for (std::size_t term = std::size_t{root} + 1; term-- > 0;) {
        if (reached[term] == 0)
            continue;
        ++count;
        for (TermId const argument : terms.arguments(static_cast<TermId>(term)))
            reached[argument] = 1;
    }
    LargeVector<TermId> found;
    found.reserve(count);
    for (std::size_t term = 0; term <= root; ++term) {
        if (reached[term] != 0)
            found.push_back(static_cast<TermId>(term));
    }
    return found;
}

bool equal_terms(Terms const& left_terms, TermId left, Terms const& right_terms, TermId right) {
    // Each pair is compared once; otherwise shared graphs would take exponential time.
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
        std::uint64_t digest = digest_of_symbol(terms.symbol(term));
        for (TermId const argument : terms.arguments(term))
            digest = digest_with(digest, digests[argument]);
        digests[term] = digest;
    }
    return digests[root];
}

std::uint64_t tree_size(Terms const& terms, TermId root) {
    constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> sizes(std::size_t{root} + 1);
    for (TermId const term : reached_terms(terms, root)) {
        std::uint64_t size = 1;
        for (TermId const argument : terms.arguments(term))
            size = sizes[argument] > max - size ? max : size + sizes[argument];
        sizes[term] = size;
    }
    return sizes[root];
}

SymbolId System::add_symbol(Origin const origin, std::string symbol_name, std::vector<SortId> arguments,
                            SortId const result, Location const& location) {
    Symbol symbol;
    symbol.name = std::move(symbol_name);
    symbol.arguments = std::move(arguments);
    symbol.result = result;
    symbol.location = location;
    symbol.origin = origin;
    symbols.push_back(std::move(symbol));
    return static_cast<SymbolId>(symbols.size() - 1);
}

}  // namespace lockstep::term_rewriting
