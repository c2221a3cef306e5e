// Goodness-of-fit tests: published values, uniform p under the right distribution, and detection of wrong
// distributions.

#include "harness/stats/goodness_of_fit.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "harness/random/bounded.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/uniform.hpp"

namespace lockstep::stats {
namespace {

using Engine = random::cpu::Philox4x32<10>;
using Counts = std::vector<std::uint64_t>;

TEST(ChiSquare, GivesTheStatisticAndItsTail) {
    // The tail has a closed form: p = exp(-x/2) for 2 degrees of freedom.
    ChiSquare const three = chi_square_uniform(Counts{10, 20, 30});
    EXPECT_DOUBLE_EQ(three.statistic, 10);
    EXPECT_EQ(three.degrees_of_freedom, 2);
    EXPECT_NEAR(three.p, std::exp(-5), 1e-15);
    // p = erfc(sqrt(x/2)) for 1 degree of freedom.
    ChiSquare const two = chi_square(Counts{60, 40}, std::vector<double>{50, 50});
    EXPECT_DOUBLE_EQ(two.statistic, 4);
    EXPECT_NEAR(two.p, std::erfc(std::sqrt(2.0)), 1e-15);
    EXPECT_EQ(chi_square_uniform(Counts{33, 33, 33}).p, 1);
    // Mendel's peas: 315, 101, 108, 32 against 9:3:3:1 yield 0.470 and p = 0.925.
    ChiSquare const peas = chi_square(Counts{315, 101, 108, 32}, std::vector<double>{312.75, 104.25, 104.25, 34.75});
    EXPECT_NEAR(peas.statistic, 0.470, 5e-4);
    EXPECT_NEAR(peas.p, 0.925, 5e-4);
    EXPECT_EQ(chi_square(Counts{10, 20, 30}, std::vector<double>{20, 20, 20}, 2).degrees_of_freedom, 1);
}

TEST(ChiSquare, RejectsInvalidArguments) {
    EXPECT_THROW(chi_square_uniform(Counts{}), std::invalid_argument);
    EXPECT_THROW(chi_square_uniform(Counts{100}), std::invalid_argument);
    EXPECT_THROW(chi_square_uniform(Counts{4, 4, 4}), std::invalid_argument) << "expected counts are too small";
    EXPECT_THROW(chi_square(Counts{10, 20}, std::vector<double>{30}), std::invalid_argument);
    EXPECT_THROW(chi_square(Counts{10, 20}, std::vector<double>{10, 21}), std::invalid_argument) << "the totals differ";
    EXPECT_THROW(chi_square(Counts{10, 20}, std::vector<double>{30, 0}), std::invalid_argument);
    EXPECT_THROW(chi_square(Counts{10, 20}, std::vector<double>{10, 20}, 2), std::invalid_argument);
}

TEST(KolmogorovSmirnov, IsExactForFewValues) {
    // For one value v, D = max(v, 1 - v) and P(D < d) = 2 d - 1.
    TestResult const one = kolmogorov_smirnov_uniform(std::vector<double>{0.9});
    EXPECT_DOUBLE_EQ(one.statistic, 0.9);
    EXPECT_NEAR(one.p, 1 - 0.8, 1e-15);
    EXPECT_NEAR(kolmogorov_smirnov_uniform(std::vector<double>{0.5}).p, 1, 1e-15);
    // Example of Marsaglia, Tsang and Wang: P(D_10 < 0.274) = 0.6284796154565805. Construct ten values with that
    // distance.
    std::vector<double> ten;
    for (int i = 0; i < 10; ++i) {
        ten.push_back((i + 0.5) / 10);
    }
    ten[4] = 0.5 - 0.274;
    ten[3] = 0.226;
    ten[2] = 0.225;
    TestResult const example = kolmogorov_smirnov_uniform(ten);
    EXPECT_NEAR(example.statistic, 0.274, 1e-15);
    EXPECT_NEAR(example.p, 1 - 0.6284796154565805, 1e-13);
}

TEST(KolmogorovSmirnov, MatchesTabulatedCriticalValues) {
    // Critical distances at 5 %: 0.56328 for 5 values, 0.40925 for 10, 0.29408 for 20, and 1.3581 / sqrt(n) for large
    // n.
    struct Row {
        int n;
        double distance;
        double tolerance;
    };
    for (auto const& [n, distance, tolerance] :
         std::vector<Row>{{5, 0.56328, 1e-4}, {10, 0.40925, 1e-4}, {20, 0.29408, 1e-4}, {10000, 0.013581, 1e-3}}) {
        // Shifts the values up so that the largest excess of a value over its rank equals the distance.
        std::vector<double> values;
        for (int i = 0; i < n; ++i) {
            values.push_back(std::min(1.0, static_cast<double>(i) / n + distance));
        }
        TestResult const result = kolmogorov_smirnov_uniform(values);
        EXPECT_NEAR(result.statistic, distance, 1e-12);
        EXPECT_NEAR(result.p, 0.05, tolerance) << n;
    }
}

TEST(KolmogorovSmirnov, ExactAndLimitAgreeWhereTheyMeet) {
    for (double const shift : {0.01, 0.03, 0.06, 0.09, 0.15}) {
        std::vector<double> p;
        for (int const n : {200, 201}) {
            std::vector<double> values;
            for (int i = 0; i < n; ++i) {
                values.push_back(std::min(1.0, static_cast<double>(i) / n + shift));
            }
            p.push_back(kolmogorov_smirnov_uniform(values).p);
        }
        EXPECT_NEAR(p[0], p[1], 0.005) << shift;
    }
}

TEST(KolmogorovSmirnov, RejectsInvalidArguments) {
    EXPECT_THROW(kolmogorov_smirnov_uniform(std::vector<double>{}), std::invalid_argument);
    EXPECT_THROW(kolmogorov_smirnov_uniform(std::vector<double>{-0.1}), std::invalid_argument);
    EXPECT_THROW(kolmogorov_smirnov_uniform(std::vector<double>{1.1}), std::invalid_argument);
    EXPECT_THROW(kolmogorov_smirnov_uniform(std::vector<double>{0.5, std::nan("")}), std::invalid_argument);
}

// Returns p of 200 chi-square tests for `faces` equally likely faces, with 6000 throws each.
template <class Throw>
std::vector<double> many_p(std::size_t faces, Throw throw_die) {
    std::vector<double> p;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        auto engine = Engine::stream(seed, 0, 0);
        Counts counts(faces, 0);
        for (int i = 0; i < 6000; ++i) {
            ++counts.at(throw_die(engine));
        }
        p.push_back(chi_square_uniform(counts).p);
    }
    return p;
}

TEST(TestsOfFit, FairDiceHaveUniformPAndLoadedOnesDoNot) {
    auto const fair = [](Engine& engine) { return random::cpu::bounded(engine, 6); };
    EXPECT_GT(kolmogorov_smirnov_uniform(many_p(6, fair)).p, 1e-4);
    // One throw in 30 is forced to be a six: a single test rarely detects this, but 200 tests do.
    auto const loaded = [](Engine& engine) {
        return random::cpu::bounded(engine, 30) == 0 ? 5u : random::cpu::bounded(engine, 6);
    };
    EXPECT_LT(kolmogorov_smirnov_uniform(many_p(6, loaded)).p, 1e-10);
    // Counts that are too even to be random are also detected.
    int turn = 0;
    auto const dealt = [&turn](Engine& engine) {
        return turn++ % 2 == 0 ? static_cast<unsigned>(turn / 2) % 6 : random::cpu::bounded(engine, 6);
    };
    EXPECT_LT(kolmogorov_smirnov_uniform(many_p(6, dealt)).p, 1e-4);
}

TEST(TestsOfFit, UniformRealsPassAndSquaredOnesDoNot) {
    auto engine = Engine::stream(3, 0, 0);
    std::vector<double> values(1000);
    for (double& value : values) {
        value = random::cpu::uniform_double(engine);
    }
    EXPECT_GT(kolmogorov_smirnov_uniform(values).p, 1e-3);
    for (double& value : values) {
        value = std::pow(value, 1.3);
    }
    EXPECT_LT(kolmogorov_smirnov_uniform(values).p, 1e-6);
}

}  // namespace
}  // namespace lockstep::stats
