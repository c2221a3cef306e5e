// The paper's systems do exactly the work that an independent evaluator found.

#include <array>
#include <numeric>

#include "reference_cpu/term_rewriting/paper_systems.hpp"
#include "reference_cpu/term_rewriting/workload.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

// MT19937 as Python's random.Random(1) seeds it, and Python's shuffle: the permutations that the counts belong to.
class PythonRandom {
public:
    PythonRandom() {
        state_[0] = 19650218u;
        for (unsigned i = 1; i < 624; ++i)
            state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
        unsigned i = 1;
        auto const wrap = [&] {
            if (++i == 624) {
                state_[0] = state_[623];
                i = 1;
            }
        };
        for (unsigned k = 0; k < 624; ++k, wrap())
            state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525u)) + 1u;
        for (unsigned k = 0; k < 623; ++k, wrap())
            state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941u)) - i;
        state_[0] = 0x80000000u;
    }

    std::vector<unsigned> permutation(unsigned count) {
        std::vector<unsigned> values(count);
        std::iota(values.begin(), values.end(), 0u);
        for (unsigned i = count - 1; i > 0; --i)
            std::swap(values[i], values[below(i + 1)]);
        return values;
    }

private:
    unsigned below(unsigned n) {
        unsigned bits = 0;
        while ((n >> bits) != 0)
            ++bits;
        unsigned value = 0;
        do {
            value = next() >> (32 - bits);
        } while (value >= n);
        return value;
    }

    unsigned next() {
        if (at_ == 624) {
            for (unsigned i = 0; i < 624; ++i) {
                unsigned const y = (state_[i] & 0x80000000u) | (state_[(i + 1) % 624] & 0x7fffffffu);
                state_[i] = state_[(i + 397) % 624] ^ (y >> 1) ^ ((y & 1u) * 0x9908b0dfu);
            }
            at_ = 0;
        }
        unsigned y = state_[at_++];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }

    std::array<unsigned, 624> state_{};
    unsigned at_ = 624;
};

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

TEST(PaperCounts, TreeMergeSortOfDepthFourteen) {
#if defined(LOCKSTEP_THREAD_SANITIZER)
    GTEST_SKIP() << "reading and normal form of two million symbols take a minute under ThreadSanitizer";
#endif
    System system = paper_system("tree_merge_sort");
    PythonRandom random;
    std::vector<std::string> level;
    for (unsigned i = 0; i < 1u << 14; ++i)
        level.push_back("Leaf(" + sort_of(random.permutation(5)) + ")");
    for (; level.size() > 1; level.resize(level.size() / 2)) {
        for (std::size_t i = 0; i < level.size() / 2; ++i)
            level[i] = "Node(" + level[2 * i] + "," + level[2 * i + 1] + ")";
    }
    for (NamedEngine const& named : all_engines(system)) {
        EXPECT_EQ(rewrites_of(system, level[0], *named.engine), 2096243u) << named.name;
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
        // Counts alone: the normal form of depth 22 would take longer to read than to find.
        engine->load(system.terms, parse_term(system, expand(20), "term"));
        EXPECT_EQ(engine->run(test_limits()).rewrites(), 29360127u);
    }
}

// The reference of the experiment goes on from small trees; here a larger one is rewritten by the oracle itself.
TEST(PaperCounts, TheReferenceIsTheOracle) {
    for (Workload const& workload : {Workload{"transformation_tree", 9, 5, 1}, Workload{"transformation_tree", 0, 5, 1},
                                     Workload{"tree_merge_sort", 6, 5, 3}, Workload{"tree_merge_sort", 3, 0, 3},
                                     Workload{"merge_sort", 0, 33, 7}}) {
        bool const tree = workload.system == "transformation_tree";
        System const system = paper_system(tree ? "transformation_tree" : "tree_merge_sort");
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

}  // namespace
}  // namespace lockstep::term_rewriting
