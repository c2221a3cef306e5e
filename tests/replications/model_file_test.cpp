// Model files give the same bits on every machine and with every scheme, and the numbers of plain loops.

#include <cmath>

#include "tests/replications/model_files.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::replications::tests {
namespace {

class ModelFiles : public testing::Test {
protected:
    void SetUp() override {
        if (std::string const why = lockstep::tests::why_not_here(); !why.empty())
            GTEST_SKIP() << why;
    }
};

struct Example {
    std::string name;
    Settings settings;
};

std::vector<Example> examples() {
    return {{"gg1.hpp", {{"steps", "40"}, {"service_phases", "3"}}},
            {"tandem.hpp", {{"steps", "30"}}},
            {"inventory.hpp", {{"steps", "25"}}},
            {"sir.hpp", {{"population", "20"}, {"infected", "2"}}},
            {"mm1.hpp", {{"steps", "70"}}}};
}

std::vector<std::string> schemes_of(ModelFile const& file) {
    std::vector<std::string> schemes = {"threads", "warps", "lanes:8", "auto"};
#if !defined(__SANITIZE_THREAD__)
    if (file.composes)
        schemes.insert(schemes.end(),
                       {"cooperative", "cooperative:1", "cooperative:4", "cooperative:32", "cooperative:128"});
#else
    if (file.composes)
        schemes = {"lanes:8", "cooperative:4", "cooperative:64"};
#endif
    return schemes;
}

TEST_F(ModelFiles, EveryMachineAndSchemeGivesTheSameBits) {
    for (Example const& example : examples()) {
        ModelFile const file = model_file::read_model_file(model_examples + example.name);
        for (bool const antithetic : {false, true}) {
            ModelOptions options = options_of(file, example.settings);
            options.antithetic = antithetic;
            for (std::uint64_t const count : {1u, 33u}) {
                if (lockstep::tests::under_compute_sanitizer() && count == 1)
                    continue;
                auto const expected = measures_of(file, options, bench::Machine::cpu, "sequential", count, 5);
                ASSERT_EQ(expected.size(), count);
                EXPECT_EQ(measures_of(file, options, bench::Machine::cpu, "auto", count, 5), expected);
                bench::Machine const machine = lockstep::tests::kernel_machine();
                for (std::string const& scheme : schemes_of(file))
                    EXPECT_EQ(measures_of(file, options, machine, scheme, count, 5), expected)
                        << example.name << " " << scheme << " " << count;
            }
        }
    }
}

// More replications, other points and other parts do not change a replication.
TEST_F(ModelFiles, AReplicationDependsOnItsNumberAndPointOnly) {
    ModelFile const file = model_file::read_model_file(model_examples + "gg1.hpp");
    ModelOptions options = options_of(file, {{"steps", "9"}});
    options.parameters.push_back(options_of(file, {{"steps", "9"}, {"utilisation", "0.3"}}).parameters.front());
    for (bench::Machine const machine : lockstep::tests::machines_under_test()) {
        auto const simulation = make_model_simulation(file, options, {parse_scheme("auto"), 0, 7});
        auto const all = simulation->run(machine, 0, 6);
        auto const last = simulation->run(machine, 4, 2);
        EXPECT_EQ(last, (std::vector<bench::UnitResult>{all[4], all[5], all[10], all[11]}));
        EXPECT_NE(all[0], all[1]);
    }
}

// Points with common random numbers and equal parameters are equal; antithetic draws are 1 - u.
TEST_F(ModelFiles, DrawsAreCommonOrAntitheticAsWanted) {
    ModelFile const file = parse_model_file(
        "parameter u64 steps = 2;\nparameter f64 p = 0;\nstream other;\nstruct State { f64 u = 0, v = 0; };\n"
        "void step(State& s) { s.u = draw.uniform(); s.v = other.uniform(); }\nresult u = s.u;\nresult v = s.v;",
        "own.hpp");
    ModelOptions options = options_of(file, {});
    options.parameters.push_back(options.parameters.front());
    for (bench::Machine const machine : lockstep::tests::machines_under_test()) {
        for (bool const common : {false, true}) {
            options.common_random_numbers = common;
            options.antithetic = true;
            auto const simulation = make_model_simulation(file, options, {parse_scheme("auto"), 0, 1});
            auto const results = simulation->run(machine, 0, 4);
            EXPECT_EQ(results[0] == results[4], common);
            for (std::size_t pair = 0; pair < 8; pair += 2) {
                std::vector<double> const one = simulation->measures(0, results[pair]);
                std::vector<double> const other = simulation->measures(0, results[pair + 1]);
                EXPECT_EQ(one[0] + other[0], 1);
                EXPECT_EQ(one[1] + other[1], 1);
                EXPECT_NE(one[0], one[1]);
            }
        }
    }
    PlainStream draw(0, 0);
    draw.uniform();
    EXPECT_EQ(measures_of(file, options_of(file, {}), bench::Machine::cpu, "auto", 1)[0][0], draw.uniform());
}

// A mean is the mean of the recorded series after the warm-up.
TEST_F(ModelFiles, MeansAreThoseOfTheSeriesAfterTheWarmUp) {
    ModelFile const file = model_file::read_model_file(model_examples + "gg1.hpp");
    ModelOptions const options = options_of(file, {{"steps", "50"}});
    for (bench::Machine const machine : lockstep::tests::machines_under_test()) {
        auto const simulation = make_model_simulation(file, options, {parse_scheme("auto"), 0, 1});
        auto const series = simulation->record(machine, 0, 2, 3);
        ASSERT_EQ(series.size(), 3u);
        for (std::uint64_t const warm_up : {0u, 20u, 49u}) {
            auto const means = measures_of(file, options, machine, "auto", 5, warm_up);
            for (std::size_t i = 0; i < 3; ++i) {
                ASSERT_EQ(series[i].size(), 50u);
                double sum = 0;
                for (std::size_t step = warm_up; step < 50; ++step)
                    sum += series[i][step][0];
                EXPECT_NEAR(means[i + 2][0], sum / static_cast<double>(50 - warm_up), 1e-9);
            }
        }
    }
}

// What the language computes from a word: quantiles with a known value, and exact sums.
TEST_F(ModelFiles, DrawsFollowTheirLaws) {
    ModelFile const file = parse_model_file(
        "parameter u64 steps = 20000;\nstruct State { f64 n = 0; u32 p = 0; u32 b = 0; bool c = false; f64 e = 0; };\n"
        "void step(State& s) { s.n = draw.normal(3, 2); s.p = draw.poisson(4); s.b = draw.below(10);\n"
        "s.c = draw.chance(0.25); s.e = draw.erlang(4, 2.0); }\n"
        "mean n = s.n; mean square = (s.n - 3) * (s.n - 3); mean tail = s.n > 3 + 2 * 1.959963985; mean p = s.p;\n"
        "mean b = s.b; mean c = s.c; mean e = s.e; mean ee = (s.e - 2) * (s.e - 2);",
        "own.hpp");
    std::vector<double> const found = measures_of(file, options_of(file, {}), bench::Machine::cpu, "auto", 1)[0];
    std::vector<double> const expected = {3, 4, 0.025, 4, 4.5, 0.25, 2, 1};
    std::vector<double> const deviation = {2, 4 * std::sqrt(2.0), 0.156, 2, 2.88, 0.433, 1, 2};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 4 * deviation[i] / std::sqrt(20000.0)) << file.means[i].name;
}

TEST_F(ModelFiles, MeansAreExactForIntegersAndNegativeValues) {
    ModelFile const file = parse_model_file(
        "parameter u64 steps = 1000;\nstruct State { f64 n = 0; };\nvoid step(State& s) { s.n = step_number; }\n"
        "mean n = s.n; mean minus = -s.n; mean half = 0.5 - s.n; mean large = s.n * 1000000; result last = "
        "step_number;",
        "own.hpp");
    for (bench::Machine const machine : lockstep::tests::machines_under_test())
        EXPECT_EQ(measures_of(file, options_of(file, {}), machine, "auto", 1)[0],
                  (std::vector<double>{499.5, -499.5, -499, 499500000, 1000}));
}

}  // namespace
}  // namespace lockstep::replications::tests
