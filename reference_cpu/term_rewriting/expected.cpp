// The expected results of the workloads, computed with the oracle.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "common/term_rewriting/language/term_maker.hpp"
#include "common/term_rewriting/workload.hpp"
#include "harness/bench/error.hpp"
#include "reference_cpu/term_rewriting/iterations.hpp"
#include "reference_cpu/term_rewriting/oracle_engine.hpp"

namespace lockstep::term_rewriting {

namespace {

struct Found {
    Terms terms;
    TermId normal_form = 0;
    std::vector<std::uint64_t> applications;
};

Found ask_oracle(System const& system, Terms const& terms, TermId input) {
    Found found;
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    oracle->load(terms, input);
    Limits limits;
    limits.memory = std::uint64_t{1} << 33;
    Outcome const outcome = oracle->run(limits);
    if (outcome.end != End::finished)
        throw bench::Error("the oracle did not finish", "a limit ended it", "Try a smaller term.");
    found.applications = outcome.applications;
    found.normal_form = oracle->normal_form(found.terms);
    return found;
}

void add_to(std::vector<std::uint64_t>& sums, std::vector<std::uint64_t> const& counts, std::uint64_t factor) {
    sums.resize(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        sums[i] += factor * counts[i];
}

bench::UnitResult expected_sorts(System const& system, Workload const& workload) {
    std::vector<std::uint64_t> applications;
    std::vector<unsigned> sorted(workload.elements);
    std::iota(sorted.begin(), sorted.end(), 0u);
    Terms expected;
    TermMaker maker(system, expected);
    TermId const list = maker.list(sorted);
    for (auto const& [values, copies] : distinct_lists(workload)) {
        Terms input;
        TermMaker of_input(system, input);
        Found const found = ask_oracle(system, input, of_input.make("Sort", {of_input.list(values)}));
        if (!equal_terms(found.terms, found.normal_form, expected, list))
            throw bench::Error("the oracle does not sort", "its list is not ascending");
        add_to(applications, found.applications, copies);
    }
    if (workload.system == "merge_sort")
        return unit_result(digest_of(expected, list), applications);
    TermId tree = maker.make("Leaf", {list});
    for (unsigned level = 0; level < workload.depth; ++level)
        tree = maker.make("Node", {tree, tree});
    return unit_result(digest_of(expected, tree), applications);
}

// The two symbols that expand have the same rules. The number of leaves doubles per level, and each rule is applied
// once per leaf or once per inner node of one of the two kinds. So each level adds twice the applications of the level
// before: depth 4 adds to depth 3 twice what depth 3 adds to depth 2. `normal_form` builds the tree of a depth; the
// oracle checks it at depth 3, or at the workload's depth if that is smaller.
bench::UnitResult expected_tree(System const& system, Workload const& workload,
                                std::function<TermId(TermMaker&, unsigned)> const& normal_form) {
    auto const at_depth = [&](unsigned depth) {
        Workload small = workload;
        small.depth = depth;
        Terms input;
        TermId const term = make_input(system, small, input);
        return ask_oracle(system, input, term);
    };
    unsigned const small = std::min(workload.depth, 3u);
    Found const found = at_depth(small);
    std::vector<std::uint64_t> applications = found.applications;
    if (workload.depth > small) {
        std::vector<std::uint64_t> const before = at_depth(small - 1).applications;
        for (std::size_t rule = 0; rule < applications.size(); ++rule) {
            std::uint64_t added = applications[rule] - before[rule];
            for (unsigned depth = small; depth < workload.depth; ++depth)
                applications[rule] += added *= 2;
        }
    }
    Terms expected;
    TermMaker maker(system, expected);
    if (!equal_terms(found.terms, found.normal_form, expected, normal_form(maker, small)))
        throw bench::Error("the oracle does not make the tree", "its normal form differs");
    return unit_result(digest_of(expected, normal_form(maker, workload.depth)), applications);
}

TermId transformed(TermMaker& maker, unsigned depth) {
    TermId tree = maker.make("End");
    for (unsigned level = 0; level < depth; ++level)
        tree = maker.make("Node", {tree, tree});
    return tree;
}

// A leaf carries the number of left branches above it. `row[lefts]` is the subtree below `lefts` left branches.
TermId carried(TermMaker& maker, unsigned depth) {
    std::vector<TermId> row;
    for (unsigned lefts = 0; lefts <= depth; ++lefts)
        row.push_back(maker.make("Stone", {maker.number(lefts)}));
    for (; row.size() > 1; row.pop_back()) {
        for (std::size_t lefts = 0; lefts + 1 < row.size(); ++lefts)
            row[lefts] = maker.make("Knot", {row[lefts + 1], row[lefts]});
    }
    return row[0];
}

// For a system with many equal redexes: evaluates each distinct redex once (schedule.hpp).
bench::UnitResult expected_from_distinct_redexes(Workload const& workload) {
    Iterations const found = count_iterations(workload);
    return unit_result(found.digest, found.known_at_once.applications);
}

// The expected result of binary_search. Each level of the tree doubles the number of paths. A path takes one step per
// node, and a comparison takes one step per common bit of the numbers. So each rule's count is, from some depth on,
// 2^depth times a polynomial of degree two in the depth, plus another such polynomial. It satisfies the linear
// recurrence with characteristic polynomial (x - 2)^3 (x - 1)^3. The oracle counts the depths up to `checked`: the
// first six start the recurrence, the others check it.
bench::UnitResult expected_searches(System const& system, Workload const& workload) {
    constexpr std::array<std::int64_t, 6> recurrence = {9,  -33, 63, -66,
                                                        36, -8};  // coefficients of the previous depths, nearest first
    constexpr unsigned first = 3, checked = 11;
    std::vector<std::vector<std::uint64_t>> counts;  // per rule, for depths first, first + 1 ...
    auto const next = [&](std::size_t rule) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < recurrence.size(); ++i)
            sum += static_cast<std::uint64_t>(recurrence[i]) * counts[counts.size() - 1 - i][rule];
        return sum;
    };
    std::uint64_t digest = 0;
    for (unsigned depth = first; depth <= workload.depth; ++depth) {
        std::vector<std::uint64_t> row;
        for (std::size_t rule = 0; counts.size() >= recurrence.size() && rule < system.rules.size(); ++rule)
            row.push_back(next(rule));
        if (depth <= checked) {
            Workload small = workload;
            small.depth = depth;
            Terms input;
            TermId const term = make_input(system, small, input);
            Found const found = ask_oracle(system, input, term);
            if (!row.empty() && row != found.applications)
                throw bench::Error("the oracle counts different searches", "the recurrence does not hold");
            row = found.applications;
            digest = digest_of(found.terms, found.normal_form);
        }
        counts.push_back(std::move(row));
    }
    return unit_result(digest, counts.back());
}

bench::UnitResult expected_whole(System const& system, Workload const& workload) {
    Terms input;
    TermId const term = make_input(system, workload, input);
    Found const found = ask_oracle(system, input, term);
    return unit_result(digest_of(found.terms, found.normal_form), found.applications);
}

}  // namespace

bench::UnitResult unit_result(std::uint64_t digest, std::vector<std::uint64_t> const& applications) {
    std::vector<std::uint64_t> words = {digest, std::accumulate(applications.begin(), applications.end(), 0ull)};
    words.insert(words.end(), applications.begin(), applications.end());
    bench::UnitResult result;
    for (std::uint64_t const word : words) {
        result.push_back(static_cast<std::uint32_t>(word));
        result.push_back(static_cast<std::uint32_t>(word >> 32));
    }
    return result;
}

bench::UnitResult expected_result(Workload const& workload) {
    System const system = system_of(workload);
    if (workload.system == "transformation_tree")
        return expected_tree(system, workload, transformed);
    if (workload.system == "payload_tree")
        return expected_tree(system, workload, carried);
    if (workload.system == "merge_sort" || workload.system == "tree_merge_sort")
        return expected_sorts(system, workload);
    bool const large = workload.depth > 12;
    if (large && workload.system == "binary_search")
        return expected_searches(system, workload);
    for (std::string const name : {"binary_fibonacci", "expression", "mirrors", "symbolic"}) {
        if (large && workload.system == name)
            return expected_from_distinct_redexes(workload);
    }
    return expected_whole(system, workload);
}

}  // namespace lockstep::term_rewriting
