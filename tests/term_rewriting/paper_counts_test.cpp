// The paper's systems perform exactly the work that an independent evaluator computed.

#include "common/term_rewriting/language/term_maker.hpp"
#include "common/term_rewriting/paper_systems.hpp"
#include "common/term_rewriting/workload.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/python_random.hpp"

namespace lockstep::term_rewriting {
namespace {

using tests::PythonRandom;

std::string number(unsigned value) {
    std::string text;
    for (unsigned i = 0; i < value; ++i)
        text += "S(";
    return text + "Zero" + std::string(value, ')');
}

std::string sort_of(std::vector<unsigned> const& values) {
    std::string text = "Sort(";
    for (unsigned const value : values)
        text += "Cons(" + number(value) + ",";
    return text + "Nil" + std::string(values.size() + 1, ')');
}

std::uint64_t rewrites_of(System& system, std::string const& term, Engine& engine) {
    Ran const ran = run_engine(engine, system.terms, parse_term(system, term, "term"));
    EXPECT_EQ(ran.outcome.end, End::finished);
    return ran.outcome.rewrites();
}

TEST(PaperCounts, MergeSortOfFifty) {
    System system = paper_system("tree_merge_sort");
    std::string const term = sort_of(PythonRandom().permutation(50));
    for (NamedEngine const& named : all_engines(system))
        EXPECT_EQ(rewrites_of(system, term, *named.engine), 6806u) << named.name;
}

TEST(PaperCounts, AllPermutationsOfFive) {
    System system = paper_system("tree_merge_sort");
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    std::vector<unsigned> values = {0, 1, 2, 3, 4};
    std::uint64_t sum = 0;
    do {
        sum += rewrites_of(system, sort_of(values), *oracle);
    } while (std::next_permutation(values.begin(), values.end()));
    EXPECT_EQ(sum, 15352u);
}

// A sanitizer gets a smaller term, because reading and rewriting two million symbols takes half a minute there.
TEST(PaperCounts, TreeMergeSort) {
#if defined(LOCKSTEP_ADDRESS_SANITIZER) || defined(LOCKSTEP_THREAD_SANITIZER)
    constexpr unsigned depth = 8;
    constexpr std::uint64_t rewrites = 32840;
#else
    constexpr unsigned depth = 14;
    constexpr std::uint64_t rewrites = 2096243;
#endif
    System system = paper_system("tree_merge_sort");
    PythonRandom random;
    std::vector<std::string> level;
    for (unsigned i = 0; i < 1u << depth; ++i)
        level.push_back("Leaf(" + sort_of(random.permutation(5)) + ")");
    for (; level.size() > 1; level.resize(level.size() / 2)) {
        for (std::size_t i = 0; i < level.size() / 2; ++i)
            level[i] = "Node(" + level[2 * i] + "," + level[2 * i + 1] + ")";
    }
    for (NamedEngine const& named : all_engines(system)) {
        EXPECT_EQ(rewrites_of(system, level[0], *named.engine), rewrites) << named.name;
    }
}

TEST(PaperCounts, TransformationTree) {
    System system = paper_system("transformation_tree");
    auto const expand = [](unsigned depth) {
        std::string text = "Expand(";
        for (unsigned i = 0; i < depth; ++i)
            text += "Suc(";
        return text + "Zero" + std::string(depth + 1, ')');
    };
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    EXPECT_EQ(rewrites_of(system, expand(10), *oracle), (1u << 11) - 1 + 26u * (1u << 10));
    for (std::size_t const workers : {1, 4}) {
        std::unique_ptr<Engine> const engine = make_compiled_engine(system, workers);
        // Compares only counts: reading the normal form of depth 22 would take longer than computing it.
        engine->load(system.terms, parse_term(system, expand(20), "term"));
        EXPECT_EQ(engine->run(test_limits()).rewrites(), 29360127u);
    }
}

// The experiment's reference derives counts from small trees. Here the oracle rewrites a larger tree directly.
TEST(PaperCounts, TheReferenceIsTheOracle) {
    std::vector<Workload> workloads = {Workload{"transformation_tree", 9, 5, 1},
                                       Workload{"transformation_tree", 0, 5, 1},
                                       Workload{"tree_merge_sort", 6, 5, 3},
                                       Workload{"tree_merge_sort", 3, 0, 3},
                                       Workload{"tree_merge_sort", 4, 5, 3, true},
                                       Workload{"merge_sort", 0, 33, 7},
                                       Workload{"queens", 0, 5, 1},
                                       Workload{"payload_tree", 7, 5, 1},
                                       Workload{"payload_tree", 0, 5, 1}};
#if !defined(LOCKSTEP_ADDRESS_SANITIZER) && !defined(LOCKSTEP_THREAD_SANITIZER)
    // Deep enough that their references visit each distinct redex once, or solve a recurrence.
    for (std::string const system : {"binary_fibonacci", "binary_search", "expression", "mirrors", "symbolic"})
        workloads.push_back({system, 13, 3, 1});
#endif
    for (Workload const& workload : workloads) {
        System const system = system_of(workload);
        Terms terms;
        TermId const input = make_input(system, workload, terms);
        for (NamedEngine const& named : all_engines(system)) {
            Ran const ran = run_engine(*named.engine, terms, input);
            EXPECT_EQ(unit_result(digest_of(ran.terms, ran.normal_form), ran.outcome.applications),
                      expected_result(workload))
                << workload.system << " " << workload.depth << " on " << named.name;
        }
    }
}

// All cores build a large input. It equals the tree that one core builds, with the same sharing, also in a pool that
// already has terms.
TEST(Workloads, LargeTreesAreBuiltInParallel) {
    for (bool const shared : {false, true}) {
        Workload const workload = {"tree_merge_sort", 12, 3, 5, shared};
        System const system = system_of(workload);
        Terms whole;
        TermMaker maker(system, whole, shared);
        TermId const expected = maker.tree(workload.depth, [&](std::uint64_t index) {
            return maker.make("Leaf", {maker.make("Sort", {maker.list(list_of(workload, index))})});
        });
        Terms parts;
        parts.application(0, {});
        TermId const input = make_input(system, workload, parts);
        EXPECT_EQ(digest_of(parts, input), digest_of(whole, expected));
        EXPECT_EQ(parts.size(), whole.size() + 1);
    }
}

TEST(Workloads, DistinctListsAreAllLists) {
    for (unsigned const depth : {3u, 13u}) {
        Workload const workload = {"tree_merge_sort", depth, 3, 5, false};
        std::map<std::vector<unsigned>, std::uint64_t> expected;
        for (std::uint64_t index = 0; index < lists_of(workload); ++index)
            ++expected[list_of(workload, index)];
        EXPECT_EQ(distinct_lists(workload), expected);
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
