// Checks that the models are correct and that the streams are independent: analytical values lie inside confidence
// intervals, and overlapping and equal streams are detected. Seeds are fixed, so the result of a test does not change.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "common/replications/measures.hpp"
#include "common/replications/statistics.hpp"
#include "harness/random/taus88.hpp"
#include "harness/stats/goodness_of_fit.hpp"
#include "harness/stats/summary.hpp"
#include "reference_cpu/replications/models.hpp"
#include "reference_cpu/replications/streams.hpp"
#include "tests/replications/variants.hpp"

namespace lockstep::replications::tests {
namespace {

std::vector<std::vector<double>> samples_of(Job const& job) {
    std::vector<std::vector<double>> samples(measure_names(job.model).size());
    for (std::uint64_t i = 0; i < job.size(); ++i) {
        std::vector<double> const values =
            measures_of(job.model, {job.points.front().items, 0, 0}, run_replication(job, i));
        for (std::size_t m = 0; m < values.size(); ++m)
            samples[m].push_back(values[m]);
    }
    return samples;
}

TEST(Models, PiLiesInItsInterval) {
    for (Engine const engine : {Engine::taus88, Engine::philox10}) {
        std::vector<double> const sample = samples_of(job(Model::pi, 300, 20000, engine)).front();
        stats::Interval const interval = *stats::student_interval(sample, 0.999);
        EXPECT_LT(interval.low, std::numbers::pi);
        EXPECT_GT(interval.high, std::numbers::pi);
        double const sigma = std::sqrt(std::numbers::pi * (4 - std::numbers::pi) / 20000);
        EXPECT_NEAR(*stats::sigma(sample), sigma, 0.15 * sigma) << "draws of one replication must be independent";
    }
}

// Mean time in the system 1 / (mu - lambda), in the queue rho times that, idle before each customer 1 / lambda - 1 /
// mu. With 20 000 customers, the bias of the empty start is less than the added tolerance.
TEST(Models, TheQueueAgreesWithItsTheory) {
    for (double const rho : {0.3, 0.5, 0.75}) {
        Job asked = job(Model::mm1, 200, 20000);
        asked.points = {make_point(Model::mm1, 20000, rho, 30)};
        std::vector<std::vector<double>> const samples = samples_of(asked);
        double const truth[] = {1 / rho - 1, rho / (1 - rho), 1 / (1 - rho)};
        for (std::size_t m = 0; m < 3; ++m) {
            stats::Interval const interval = *stats::student_interval(samples[m], 0.999);
            double const slack = 0.003 * truth[m];
            EXPECT_LT(interval.low - slack, truth[m]) << rho << " " << measure_names(Model::mm1)[m];
            EXPECT_GT(interval.high + slack, truth[m]) << rho << " " << measure_names(Model::mm1)[m];
        }
    }
}

// Also where each chunk has a way of its own: ways are bijections of words, so both walks have the same law.
TEST(Models, WalkersVisitEveryChunkEquallyOften) {
    for (Model const model : {Model::walk, Model::chunk_walk}) {
        for (unsigned const chunks : {4u, 30u}) {
            for (Engine const engine : {Engine::taus88, Engine::philox10}) {
                Job asked = job(model, 3000, 100, engine);
                asked.points = {make_point(model, 100, 0.5, chunks)};
                asked.points.front().rounds = 2;
                std::vector<bench::UnitResult> const results = expected(asked);
                bench::Metrics const metrics = statistics_of(asked, results);
                EXPECT_GT(metrics.at("chunks_p"), 0.001);
                Point const& point = asked.points.front();
                double const truth = 100 * (1.0 / point.chunk_width + 1.0 / point.chunk_height) / 2;
                double const error = metrics.at("deviation_crossings") / std::sqrt(3000.0);
                EXPECT_NEAR(metrics.at("mean_crossings"), truth, 4 * error);
            }
        }
    }
}

TEST(Models, WaysDifferAndKeepWordsUniform) {
    std::set<unsigned> words;
    for (unsigned way = 0; way < cpu::max_ways; ++way)
        words.insert(cpu::mixed_by(way, 12345, 1));
    EXPECT_EQ(words.size(), cpu::max_ways) << "each way has code of its own";
    EXPECT_EQ(cpu::mixed_by(7, 12345, 0), 12345u);
    Job asked = job(Model::branches, 200, 1000);
    asked.points.front().ways = cpu::max_ways;
    asked.points.front().rounds = 3;
    bench::Metrics const metrics = statistics_of(asked, expected(asked));
    EXPECT_NEAR(metrics.at("mean_word"), 0.5, 4 * metrics.at("deviation_word") / std::sqrt(200.0));
    EXPECT_NEAR(metrics.at("deviation_word"), std::sqrt(1.0 / 12 / 1000), 0.002);
}

TEST(Models, IntervalsHaveTheirNominalCoverage) {
    bench::Metrics const metrics = statistics_of(job(Model::walk, 10000, 50), expected(job(Model::walk, 10000, 50)));
    EXPECT_NEAR(metrics.at("coverage_3"), 0.95, 0.02);
    EXPECT_NEAR(metrics.at("coverage_10"), 0.95, 0.03);
    EXPECT_EQ(metrics.count("coverage_30"), 0u) << "10 000 replications are too few samples of 30";
}

TEST(Streams, EqualThoseOfBoostAndTheHarness) {
    for (std::uint64_t replication : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40}) {
        for (unsigned const point : {0u, 1u, 77u}) {
            auto boost = boost_stream(5, replication, point);
            auto ours = random::cpu::Taus88::stream(5, replication, point);
            for (int i = 0; i < 100; ++i)
                ASSERT_EQ(boost(), ours());
        }
    }
}

// The variance of the means of groups of replications, divided by its value for independent replications: 1 for
// independent streams.
double spread_of_groups(std::vector<double> const& values, std::size_t group) {
    std::vector<double> means;
    for (std::size_t first = 0; first + group <= values.size(); first += group) {
        means.push_back(stats::mean(std::span(values).subspan(first, group)));
    }
    return *stats::sigma(means) * std::sqrt(static_cast<double>(group)) / *stats::sigma(values);
}

// Pi from 2000 draws of each of 1000 streams.
template <class Make>
std::vector<double> pi_of_streams(Make const& make) {
    std::vector<double> values;
    Point const point = make_point(Model::pi, 2000, 0.5, 30);
    for (unsigned i = 0; i < 1000; ++i) {
        auto stream = make(i);
        values.push_back(measures_of(Model::pi, {2000, 0, 0}, run_pi(point, stream)).front());
    }
    return values;
}

TEST(Streams, OverlappingStreamsAreDetected) {
    double const independent = spread_of_groups(pi_of_streams([](unsigned i) { return boost_stream(1, i, 0); }), 2);
    EXPECT_NEAR(independent, 1, 0.1);
    // If replications 2k and 2k + 1 have the same seed, they are equal, and the intervals are too narrow by a factor of
    // sqrt 2.
    double const equal = spread_of_groups(pi_of_streams([](unsigned i) { return boost::random::taus88(100 + i); }), 2);
    EXPECT_NEAR(equal, std::numbers::sqrt2, 0.1);
    // Overlapping streams: each shares nine tenths of its words with the next.
    double const overlapping = spread_of_groups(pi_of_streams([](unsigned i) {
                                                    auto stream = random::cpu::Taus88::stream(1, 0, 0);
                                                    stream.discard(std::uint64_t{400} * i);
                                                    return stream;
                                                }),
                                                10);
    EXPECT_GT(overlapping, 1.5);
}

TEST(Streams, NoTwoReplicationsShareResults) {
    Job asked = job(Model::pi, 500, 3000);
    asked.points.push_back(asked.points.front());
    std::vector<bench::UnitResult> results = expected(job(Model::mm1, 500, 100));
    std::sort(results.begin(), results.end());
    EXPECT_EQ(std::adjacent_find(results.begin(), results.end()), results.end());
    // Equal points of a design have different streams.
    std::vector<bench::UnitResult> const both = expected(asked);
    unsigned same = 0;
    for (std::size_t i = 0; i < 500; ++i)
        same += both[i] == both[500 + i] ? 1 : 0;
    EXPECT_LT(same, 30u);
}

}  // namespace
}  // namespace lockstep::replications::tests
