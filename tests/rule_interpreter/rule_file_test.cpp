// Rule files: the examples have the results of plain loops and of the built-in rules on every machine.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "tests/rule_interpreter/rule_files.hpp"
#include "tests/rule_interpreter/variants.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

TEST_F(RuleFiles, TheSyntheticRuleHasTheResultsOfTheBuiltInRule) {
    Work work;
    work.states = 5;
    work.seed = 7;
    work.settings = {{"values", "150"}, {"divergence", "3"}, {"load", "9"}};
    work.out = {{"result", path("result.npy")}};
    run_everywhere(read_rule_file(rule_examples + "synthetic.rules"), work);
    std::vector<std::uint32_t> const found = values_of<std::uint32_t>("result.npy", Type::u32, 150);
    bench::Problem built_in = problem({{"states", "5"}, {"range", "150"}, {"divergence", "3"}, {"load", "9"}});
    built_in.seed = 7;
    Job const job = job_of(built_in);
    for (std::size_t state = 0; state < 5; ++state) {
        auto const first = found.begin() + static_cast<std::ptrdiff_t>(150 * state);
        std::vector<std::uint32_t> const results(first, first + 150);
        EXPECT_EQ(results, synthetic_results(job, state));
        EXPECT_EQ(summary_of(results), run_state(job, state));
    }
}

// The cells after a step of plain loops.
std::vector<std::uint32_t> life_step(std::vector<std::uint32_t> const& cells, int side) {
    std::vector<std::uint32_t> next(cells.size());
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            std::uint32_t living = 0;
            for (int down : {side - 1, 0, 1}) {
                for (int right : {side - 1, 0, 1})
                    living +=
                        down == 0 && right == 0
                            ? 0
                            : cells[static_cast<std::size_t>((row + down) % side * side + (column + right) % side)];
            }
            std::size_t const at = static_cast<std::size_t>(row * side + column);
            next[at] = living == 3 || (living == 2 && cells[at] != 0) ? 1 : 0;
        }
    }
    return next;
}

TEST_F(RuleFiles, LifeIsThatOfPlainLoops) {
    constexpr int side = 13;
    constexpr std::size_t cells = side * side;
    std::vector<std::uint32_t> start(3 * cells);  // an empty state, a blinker, random cells
    for (std::size_t const i : {14, 15, 16})
        start[cells + i] = 1;
    for (std::size_t i = 2 * cells; i < 3 * cells; ++i)
        start[i] = i * 2654435761u >> 30 & 1;
    Work work;
    work.settings = {{"side", "13"}};
    work.columns = {{"cell", write("start.npy", Type::u32, 3, start)}};
    work.out = {{"cell", path("cells.npy")}};
    work.passes = 12;
    work.to_fixed_point = true;
    Results const results = run_everywhere(read_rule_file(rule_examples + "life.rules"), work);
    std::vector<std::uint32_t> const found = values_of<std::uint32_t>("cells.npy", Type::u32, cells);
    for (std::size_t state = 0; state < 3; ++state) {
        std::vector<std::uint32_t> expected(start.begin() + static_cast<std::ptrdiff_t>(state * cells),
                                            start.begin() + static_cast<std::ptrdiff_t>((state + 1) * cells));
        for (int step = 0; step < 12; ++step)
            expected = life_step(expected, side);
        EXPECT_TRUE(
            std::equal(expected.begin(), expected.end(), found.begin() + static_cast<std::ptrdiff_t>(state * cells)))
            << state;
    }
    EXPECT_EQ(results.last_change[0], 0u);
    EXPECT_EQ(results.last_change[1], 12u);  // a blinker never rests
    // Fixed numbers of passes, where a warp can have several states.
    work.to_fixed_point = false;
    work.out.clear();
    EXPECT_EQ(run_everywhere(read_rule_file(rule_examples + "life.rules"), work).digests, results.digests);
}

// A graph of trees with random edges, from raw and .npy files: labels are the least vertex of each component.
TEST_F(RuleFiles, LabelsAreTheComponentsOfAGraph) {
    constexpr std::uint32_t vertices = 70;
    std::vector<std::vector<std::uint32_t>> neighbours(vertices);
    std::vector<std::uint32_t> component(vertices);
    std::iota(component.begin(), component.end(), 0u);
    for (std::uint32_t v = 5; v < vertices; ++v) {
        std::uint32_t const to = v * 2654435761u % v;
        if (v % 9 == 0)
            continue;
        neighbours[v].push_back(to);
        neighbours[to].push_back(v);
        component[v] = component[to];  // `to` is below v and labelled already
    }
    std::vector<std::uint32_t> first = {0};
    std::vector<std::uint32_t> target;
    for (auto const& each : neighbours) {
        target.insert(target.end(), each.begin(), each.end());
        first.push_back(static_cast<std::uint32_t>(target.size()));
    }
    target.resize(2 * vertices);
    Work work;
    work.settings = {{"vertices", "70"}};
    work.columns = {{"first", write("first.npy", Type::u32, 1, first)},
                    {"target", write("target.raw", Type::u32, 1, target)}};
    work.out = {{"label", path("labels.npy")}};
    work.to_fixed_point = true;
    work.passes = vertices;
    run_everywhere(read_rule_file(rule_examples + "labels.rules"), work);
    EXPECT_EQ((values_of<std::uint32_t>("labels.npy", Type::u32, vertices)), component);
}

TEST_F(RuleFiles, TheGeneratedRingsHaveTheLabelsOfTheirFirstVertices) {
    Work work;
    work.states = 2;
    work.settings = {{"vertices", "60"}, {"ring", "20"}};
    work.out = {{"label", path("labels.npy")}};
    work.to_fixed_point = true;
    work.passes = 100;
    Results const results = run_everywhere(read_rule_file(rule_examples + "labels.rules"), work);
    std::vector<std::uint32_t> const labels = values_of<std::uint32_t>("labels.npy", Type::u32, 60);
    for (std::uint32_t i = 0; i < 120; ++i)
        ASSERT_EQ(labels[i], i % 60 / 20 * 20);
    EXPECT_EQ(results.last_change[0], 10u);  // half a ring
}

// Ranges per state, columns of 64 bits and floats, and rules that see what those before them did.
TEST_F(RuleFiles, OrdersArePricedSettledAndSummed) {
    Work work;
    work.states = 20;
    work.settings = {{"most", "140"}, {"limit", "50000000"}};
    for (char const* const column : {"count", "quantity", "price", "value", "charge", "position"})
        work.out[column] = path(std::string(column) + ".npy");
    run_everywhere(read_rule_file(rule_examples + "orders.rules"), work);
    auto const count = values_of<std::uint32_t>("count.npy", Type::u32, 1);
    auto const quantity = values_of<std::uint32_t>("quantity.npy", Type::u32, 140);
    auto const price = values_of<float>("price.npy", Type::f32, 140);
    auto const value = values_of<std::int64_t>("value.npy", Type::i64, 140);
    auto const charge = values_of<double>("charge.npy", Type::f64, 140);
    auto const position = values_of<std::int64_t>("position.npy", Type::i64, 1);
    std::size_t refused = 0;
    for (std::size_t state = 0; state < 20; ++state) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < 140; ++i) {
            std::size_t const at = 140 * state + i;
            if (i >= count[state]) {
                EXPECT_EQ(value[at], 0);
                continue;
            }
            std::int64_t const cents = static_cast<std::int64_t>(price[at] * 100.0f) * quantity[at];
            bool const large = cents > 50000000;
            refused += large ? 1 : 0;
            EXPECT_EQ(std::abs(value[at]), large ? 0 : cents);
            EXPECT_EQ(charge[at], large ? 0 : static_cast<double>(cents) * 0.0025);
            sum += value[at];
        }
        EXPECT_EQ(position[state], sum);
    }
    EXPECT_GT(refused, 0u);
    EXPECT_NE(std::count(count.begin(), count.end(), count[0]), 20);
}

// Without orders, only the sum changes: in the first pass, from what the file says to 0.
TEST_F(RuleFiles, OrdersRestOnceTheirSumDoes) {
    Work work;
    work.columns = {{"quantity", write("quantity.npy", Type::u32, 2, std::vector<std::uint32_t>(400))},
                    {"position", write("position.npy", Type::i64, 2, std::vector<std::int64_t>{5, 0})}};
    work.to_fixed_point = true;
    work.passes = 9;
    Results const results = run_everywhere(read_rule_file(rule_examples + "orders.rules"), work);
    EXPECT_EQ(results.last_change, (std::vector<std::uint32_t>{1, 0}));
}

// Ranges of no instance, of one, and around a warp, a tile and a queue; few and all enabled.
TEST_F(RuleFiles, RangesOfEverySizeAndShare) {
    RuleFile const file = parse_rule_file(
        "parameter u32 share = 2;\ncolumn u32 sizes[1]; column u64 a[400] = random_below(s, i, s.share);\n"
        "column f64 b[400];\nrule Half { u32 range(State const& s) { return s.sizes[0]; }\n"
        "bool condition(State const& s, u32 i) { return s.a[i] == 0; }\n"
        "bool evaluate(State& s, u32 i) { s.b.set(i, 0.5 * i + s.number); return true; } }\n",
        "own.rules");
    std::vector<std::uint32_t> const sizes = {0, 1, 31, 32, 33, 127, 128, 129, 160, 161, 256, 400};
    Work work;
    work.columns = {{"sizes", write("sizes.npy", Type::u32, sizes.size(), sizes)}};
    work.out = {{"b", path("b.npy")}};
    for (char const* const share : {"1", "2", "40"}) {
        work.settings = {{"share", share}};
        run_everywhere(file, work);
        if (share[0] != '1')
            continue;
        std::vector<double> const b = values_of<double>("b.npy", Type::f64, 400);
        for (std::size_t i = 0; i < b.size(); ++i) {
            double const number = static_cast<double>(i / 400);
            EXPECT_EQ(b[i], i % 400 < sizes[i / 400] ? 0.5 * static_cast<double>(i % 400) + number : 0);
        }
    }
}

TEST_F(RuleFiles, ManySmallStatesShareAWarp) {
    Work work;
    work.states = 1030;
    work.settings = {{"values", "5"}, {"load", "1"}};
    for (unsigned const states_per_warp : {2u, 16u}) {
        work.geometry = Geometry{.states_per_warp = states_per_warp};
        run_everywhere(read_rule_file(rule_examples + "synthetic.rules"), work);
    }
}

TEST_F(RuleFiles, MoreThanFourColumnsAndDigestsThatDetectEveryColumn) {
    std::string text = "parameter u32 changed = 99;\n";
    for (int i = 0; i < 32; ++i)
        text += "column i64 c" + std::to_string(i) + "[2] = " + std::to_string(i) +
                " + (changed == " + std::to_string(i) + ");\n";
    text +=
        "rule R over c31 { bool condition(State const& s, u32 i) { return s.c0[i] == 7; }\n"
        "bool evaluate(State& s, u32 i) { return false; } }\n";
    RuleFile const file = parse_rule_file(text, "own.rules");
    Work work;
    std::vector<std::uint64_t> seen = run_everywhere(file, work).digests;
    for (int i = 0; i < 32; ++i) {
        work.settings["changed"] = std::to_string(i);
        seen.push_back(run_rules(file, work).digests[0]);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::unique(seen.begin(), seen.end()) - seen.begin(), 33);
}

// Without `deferred`, the reference and the loops differ: --check can fail.
TEST_F(RuleFiles, TheReferenceSeesAMissingDeferred) {
    std::string const rule =
        "column u32 a[10] = i;\nrule Shift over a { bool condition(State const& s, u32 i) { return i > 0; }\n"
        "bool evaluate(State& s, u32 i) { s.a.set(i, s.a[i - 1]); return true; } }\n";
    auto const digest = [](std::string const& text, bool sequential) {
        Work work;
        work.sequential = sequential;
        return run_rules(parse_rule_file(text, "own.rules"), work).digests;
    };
    EXPECT_NE(digest(rule, false), digest(rule, true));
    EXPECT_EQ(digest("deferred " + rule, false), digest("deferred " + rule, true));
    EXPECT_EQ(digest(rule, true), digest("deferred " + rule, true));
}

TEST_F(RuleFiles, PartsOfTheStatesAddUp) {
    Work work;
    work.states = 7;
    RuleFile const file = read_rule_file(rule_examples + "orders.rules");
    RuleJob job(file, work);
    std::uint64_t const whole = digest_of(job.run(0, 7).digests, 0);
    EXPECT_EQ(whole, digest_of(job.run(0, 3).digests, 0) + digest_of(job.run(3, 4).digests, 3));
    EXPECT_EQ(job.run(4, 0).digests.size(), 0u);
}

TEST_F(RuleFiles, PartsOfTheStatesWriteNoColumn) {
    Work work;
    work.states = 7;
    work.out = {{"value", path("value.npy")}};
    RuleJob job(read_rule_file(rule_examples + "orders.rules"), work);
    job.run(0, 3);
    job.run(3, 4);
    job.run(4, 0);
    EXPECT_FALSE(std::filesystem::exists(path("value.npy")));
    job.run(0, 7);
    EXPECT_EQ((values_of<std::int64_t>("value.npy", Type::i64, 200)).size(), 7u * 200);
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
