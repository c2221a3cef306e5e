#include "common/term_rewriting/workload.hpp"

#include <algorithm>
#include <numeric>

#include "common/term_rewriting/language/term_maker.hpp"
#include "common/term_rewriting/paper_systems.hpp"
#include "harness/bench/error.hpp"
#include "harness/random/bounded.hpp"
#include "harness/random/philox.hpp"
#include "harness/threads/in_threads.hpp"

namespace lockstep::term_rewriting {

namespace {

using Make = TermId (*)(TermMaker&, Workload const&);

struct Kind {
    char const* name;
    char const* text;  // its rules, in systems/
    bool many_lists;
    Make make;
};

constexpr unsigned large_depth = 12;  // trees with at least this many levels are built on all cores

TermId sort_of(TermMaker& maker, Workload const& workload, std::uint64_t index) {
    return maker.make("Sort", {maker.list(list_of(workload, index))});
}

// More(element(0), More(element(1), ... Stop()))
template <class Element>
TermId list_of_lists(TermMaker& maker, Workload const& workload, Element const& element) {
    TermId term = maker.make("Stop");
    for (std::uint64_t index = lists_of(workload); index-- > 0;)
        term = maker.make("More", {element(index), term});
    return term;
}

TermId one_sort(TermMaker& maker, Workload const& workload) { return sort_of(maker, workload, 0); }

TermId tree_of_sorts(TermMaker& maker, Workload const& workload) {
    auto const leaf = [&](TermMaker& own, std::uint64_t index) {
        return own.make("Leaf", {sort_of(own, workload, index)});
    };
    if (workload.depth >= large_depth)
        return maker.large_tree(workload.depth, std::max(workload.elements, 1u) - 1, leaf);
    return maker.tree(workload.depth, [&](std::uint64_t index) { return leaf(maker, index); });
}

TermId list_of_sorts(TermMaker& maker, Workload const& workload) {
    return list_of_lists(maker, workload, [&](std::uint64_t index) { return sort_of(maker, workload, index); });
}

TermId mapped_list(TermMaker& maker, Workload const& workload) {
    auto const list = [&](std::uint64_t index) { return maker.list(list_of(workload, index)); };
    return maker.make("SortAll", {list_of_lists(maker, workload, list)});
}

TermId expand(TermMaker& maker, Workload const& workload) {
    return maker.make("Expand", {maker.number(workload.depth)});
}

TermId count(TermMaker& maker, Workload const& workload) {
    return maker.make("Count", {maker.number(workload.elements), maker.number(0)});
}

TermId tree_fold(TermMaker& maker, Workload const& workload) {
    return maker.make("Leaves", {maker.make("Mirror", {maker.make("Grow", {maker.number(workload.depth)})})});
}

TermId queens(TermMaker& maker, Workload const& workload) {
    return maker.make("queens", {maker.number(workload.elements), maker.number(workload.elements)});
}

TermId fibonacci(TermMaker& maker, Workload const& workload) {
    return maker.make("Fibonacci", {maker.number(workload.depth)});
}

// The ant does not leave this plane in its first ten thousand steps.
TermId langtons_ant(TermMaker& maker, Workload const& workload) {
    return maker.make("Ant", {maker.number(workload.elements), maker.number(100), maker.number(50)});
}

TermId quick_sort(TermMaker& maker, Workload const& workload) {
    return maker.make("sort", {maker.list(list_of(workload, 0))});
}

TermId sieve(TermMaker& maker, Workload const& workload) {
    return maker.make("primes", {maker.number(workload.elements)});
}

TermId mirrors(TermMaker& maker, Workload const& workload) {
    return maker.make("Again", {maker.number(workload.elements), maker.make("Grow", {maker.number(workload.depth)})});
}

TermId expression(TermMaker& maker, Workload const& workload) {
    return maker.make("Value", {maker.make("Write", {maker.number(workload.depth)})});
}

TermId symbolic(TermMaker& maker, Workload const& workload) {
    return maker.make("Power", {maker.number(workload.depth)});
}

TermId binary_search(TermMaker& maker, Workload const& workload) {
    TermId const tree = maker.make("Plant", {maker.number(workload.depth), maker.make("End")});
    return maker.make("All", {maker.number(workload.depth), tree});
}

TermId payload_tree(TermMaker& maker, Workload const& workload) {
    return maker.make("Sprout", {maker.number(workload.depth), maker.number(0)});
}

constexpr Kind kinds[] = {
    {"merge_sort", "tree_merge_sort", false, one_sort},
    {"tree_merge_sort", "tree_merge_sort", true, tree_of_sorts},
    {"transformation_tree", "transformation_tree", false, expand},
    {"count", "count", false, count},
    {"insertion_sort", "insertion_sort", false, one_sort},
    {"tree_fold", "tree_fold", false, tree_fold},
    {"one_expand", "one_expand", false, expand},
    {"mapped_list_of_lists", "list_of_lists", true, mapped_list},
    {"list_of_lists", "list_of_lists", true, list_of_sorts},
    {"queens", "queens", false, queens},
    {"binary_fibonacci", "binary_fibonacci", false, fibonacci},
    {"langtons_ant", "langtons_ant", false, langtons_ant},
    {"quick_sort", "quick_sort", false, quick_sort},
    {"sieve", "sieve", false, sieve},
    {"payload_tree", "payload_tree", false, payload_tree},
    {"mirrors", "mirrors", false, mirrors},
    {"expression", "expression", false, expression},
    {"symbolic", "symbolic", false, symbolic},
    {"binary_search", "binary_search", false, binary_search},
};

Kind const& kind_of(Workload const& workload) {
    for (Kind const& kind : kinds) {
        if (workload.system == kind.name)
            return kind;
    }
    throw bench::Error("no system " + workload.system, "the experiment has no system of that name");
}

}  // namespace

std::vector<bench::Axis> workload_axes() {
    using Type = bench::Axis::Kind;
    bench::Axis system{"system", Type::text, "tree_merge_sort", "a rewrite system of the paper or ours", 0, 0, {}};
    for (Kind const& kind : kinds)
        system.allowed.push_back(kind.name);
    return {
        system,
        {"depth", Type::integer, "10", "tree levels, or another size; unused by some systems", 0, 40, {}},
        {"elements", Type::integer, "5", "numbers per list, or another size; unused by some systems", 0, 1000000, {}},
        {"sharing", Type::text, "none", "equal terms of the input that are shared", 0, 0, {"none", "numerals"}},
    };
}

Workload read_workload(bench::Problem const& problem) {
    return {problem.axes.text("system"), static_cast<unsigned>(problem.axes.integer("depth")),
            static_cast<unsigned>(problem.axes.integer("elements")), problem.seed,
            problem.axes.text("sharing") == "numerals"};
}

System system_of(Workload const& workload) { return paper_system(kind_of(workload).text); }

std::uint64_t lists_of(Workload const& workload) {
    Kind const& kind = kind_of(workload);
    return kind.many_lists ? std::uint64_t{1} << workload.depth : kind.make == one_sort ? 1 : 0;
}

std::vector<unsigned> list_of(Workload const& workload, std::uint64_t index) {
    std::vector<unsigned> values(workload.elements);
    std::iota(values.begin(), values.end(), 0u);
    auto engine = random::cpu::Philox4x32<10>::stream(workload.seed, index, 0);
    for (unsigned i = workload.elements; i > 1; --i)
        std::swap(values[i - 1], values[random::cpu::bounded(engine, i)]);
    return values;
}

std::map<std::vector<unsigned>, std::uint64_t> distinct_lists(Workload const& workload) {
    using Lists = std::map<std::vector<unsigned>, std::uint64_t>;
    std::uint64_t const lists = lists_of(workload);
    std::size_t const parts = lists >= std::uint64_t{1} << large_depth ? 32 : 1;
    std::vector<Lists> found(parts);
    threads::in_threads(parts, parts, [&](std::size_t const part) {
        for (std::uint64_t index = part * lists / parts; index < (part + 1) * lists / parts; ++index)
            ++found[part][list_of(workload, index)];
    });
    for (std::size_t part = 1; part < parts; ++part) {
        for (auto const& [values, copies] : found[part])
            found[0][values] += copies;
    }
    return std::move(found[0]);
}

TermId make_input(System const& system, Workload const& workload, Terms& terms) {
    TermMaker maker(system, terms, workload.share_numerals);
    return kind_of(workload).make(maker, workload);
}

}  // namespace lockstep::term_rewriting
