// The models of examples/replications/models against loops that are written without them, and against theory.

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/stats/summary.hpp"
#include "tests/replications/model_files.hpp"

namespace lockstep::replications::tests {
namespace {

void expect_rows(std::vector<std::vector<double>> const& found, std::vector<std::vector<double>> const& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].size(), expected[i].size());
        for (std::size_t j = 0; j < found[i].size(); ++j)
            EXPECT_NEAR(found[i][j], expected[i][j], 1e-8 * std::max(1.0, std::abs(expected[i][j]))) << i << " " << j;
    }
}

// The interval of a column at a level that an honest test misses once in 10 000 times.
stats::Interval interval_of(std::vector<std::vector<double>> const& rows, std::size_t i) {
    return *stats::student_interval(column(rows, i), 0.9999);
}
#define EXPECT_IN(value, interval)           \
    do {                                     \
        stats::Interval const it = interval; \
        EXPECT_LE(it.low, value);            \
        EXPECT_GE(it.high, value);           \
    } while (false)

// On an absolute clock, with the times of arrival and departure.
TEST(ModelReference, GG1IsAQueueOnAClock) {
    std::vector<std::vector<double>> expected;
    for (std::uint64_t replication = 0; replication < 5; ++replication) {
        PlainStream arrivals(replication, 1);
        PlainStream services(replication, 2);
        double arrival = 0, departure = 0, waits = 0, times = 0, delayed = 0;
        for (int customer = 0; customer < 200; ++customer) {
            arrival += (arrivals.exponential() + arrivals.exponential()) / 2 / 0.9;
            double const begin = std::max(arrival, departure);
            delayed += departure > arrival + 1e-12 ? 1 : 0;
            departure = begin;
            for (int phase = 0; phase < 3; ++phase)
                departure += services.exponential() / 3;
            waits += begin - arrival;
            times += departure - arrival;
        }
        expected.push_back({waits / 200, times / 200, delayed / 200});
    }
    Settings const settings = {{"steps", "200"}, {"utilisation", "0.9"}, {"gap_phases", "2"}, {"service_phases", "3"}};
    expect_rows(measures_of("gg1.hpp", settings, 5), expected);
}

// M/M/1: the mean wait is u / (1 - u) services, and a share u of the customers waits. The queue starts empty, so the
// first customers are left out.
TEST(ModelReference, GG1WithOnePhaseIsMM1) {
    ModelFile const file = model_file::read_model_file(model_examples + "gg1.hpp");
    auto const rows = measures_of(file, options_of(file, {{"steps", "4000"}, {"utilisation", "0.5"}}),
                                  bench::Machine::cpu, "auto", 100, 500);
    EXPECT_IN(1.0, interval_of(rows, 0));
    EXPECT_IN(2.0, interval_of(rows, 1));
    EXPECT_IN(0.5, interval_of(rows, 2));
}

// Event by event: both queues hold customers, and the next event is the earliest of three.
TEST(ModelReference, TandemIsTwoQueuesOfEvents) {
    std::vector<std::vector<double>> expected;
    for (std::uint64_t replication = 0; replication < 4; ++replication) {
        PlainStream gaps(replication, 1), first(replication, 2), second(replication, 3);
        std::vector<double> arrived, left_first, left_second;
        double const never = 1e300;
        double next_arrival = gaps.exponential(), first_ends = never, second_ends = never;
        while (left_second.size() < 150) {
            double const now = std::min({next_arrival, first_ends, second_ends});
            if (now == next_arrival) {
                arrived.push_back(now);
                next_arrival = arrived.size() < 150 ? now + gaps.exponential() : never;
            } else if (now == first_ends) {
                left_first.push_back(now);
                first_ends = never;
            } else {
                left_second.push_back(now);
                second_ends = never;
            }
            if (first_ends == never && arrived.size() > left_first.size())
                first_ends = now + 0.5 * first.exponential();
            if (second_ends == never && left_first.size() > left_second.size())
                second_ends = now + 0.8 * second.exponential();
        }
        double in_first = 0, in_second = 0;
        for (std::size_t i = 0; i < 150; ++i) {
            in_first += (left_first[i] - arrived[i]) / 150;
            in_second += (left_second[i] - left_first[i]) / 150;
        }
        expected.push_back({in_first, in_second, in_first + in_second, 150 / left_second.back()});
    }
    expect_rows(measures_of("tandem.hpp", {{"steps", "150"}}, 4), expected);
}

// Burke: the departures of the first queue are a Poisson process, so a queue spends service / (1 - utilisation).
TEST(ModelReference, TandemHasAProductForm) {
    ModelFile const file = model_file::read_model_file(model_examples + "tandem.hpp");
    auto const rows = measures_of(file, options_of(file, {{"steps", "6000"}}), bench::Machine::cpu, "auto", 100, 1000);
    EXPECT_IN(1.0, interval_of(rows, 0));
    EXPECT_IN(4.0, interval_of(rows, 1));
}

TEST(ModelReference, InventoryIsADayByDayLedger) {
    std::vector<std::vector<double>> expected;
    for (std::uint64_t replication = 0; replication < 5; ++replication) {
        PlainStream draw(replication, 0);
        int stock = 60;
        double cost = 0, lost = 0;
        for (int day = 0; day < 100; ++day) {
            int wanted = 0;
            for (double time = draw.exponential(); time <= 12; time += draw.exponential())
                ++wanted;
            lost += std::max(wanted - stock, 0);
            cost += 5 * std::max(wanted - stock, 0);
            stock = std::max(stock - wanted, 0);
            cost += stock;
            if (stock < 20) {
                cost += 32 + 3 * (60 - stock);
                stock = 60;
            }
        }
        expected.push_back({cost / 100, lost / 100});
    }
    expect_rows(measures_of("inventory.hpp", {{"steps", "100"}}, 5), expected);
}

// Nobody buys: 60 goods cost 60 each day.
TEST(ModelReference, InventoryWithoutDemandCostsItsStock) {
    EXPECT_EQ(measures_of("inventory.hpp", {{"demand", "0"}}, 2), (std::vector<std::vector<double>>{{60, 0}, {60, 0}}));
}

TEST(ModelReference, SirIsALoopOverEvents) {
    std::vector<std::vector<double>> expected;
    for (std::uint64_t replication = 0; replication < 6; ++replication) {
        PlainStream times(replication, 1), events(replication, 2);
        int healthy = 48, ill = 2, most = 2;
        double time = 0;
        while (ill > 0) {
            double const infections = 2.0 * ill * healthy / 50, recoveries = ill;
            time += times.exponential() / (infections + recoveries);
            if (events.uniform() < infections / (infections + recoveries)) {
                --healthy;
                most = std::max(most, ++ill);
            } else {
                --ill;
            }
        }
        expected.push_back({50.0 - healthy, double(most), time});
    }
    expect_rows(measures_of("sir.hpp", {{"population", "50"}, {"infected", "2"}}, 6), expected);
}

// Two people, one ill: infection and recovery have the same rate, so the other one falls ill with probability 1/2.
// Alone, one is ill for a mean time of 1.
TEST(ModelReference, SirOfTwoIsAFairCoin) {
    EXPECT_IN(1.5, interval_of(measures_of("sir.hpp", {{"population", "2"}, {"infected", "1"}}, 20000), 0));
    EXPECT_IN(1.0, interval_of(measures_of("sir.hpp", {{"population", "1"}, {"infected", "1"}}, 20000), 2));
}

// The composed M/M/1 has the waits of the step-by-step one up to its resolution of 2^-24.
TEST(ModelReference, ComposedMM1IsAQueueOnAClock) {
    std::vector<std::vector<double>> expected;
    for (std::uint64_t replication = 0; replication < 3; ++replication) {
        PlainStream draw(replication, 0);
        double arrival = 0, departure = 0, waits = 0, times = 0;
        for (int customer = 0; customer < 300; ++customer) {
            arrival += std::floor(draw.exponential() / 0.75 * 16777216) / 16777216;
            double const begin = std::max(arrival, departure);
            departure = begin + std::floor(draw.exponential() * 16777216) / 16777216;
            waits += begin - arrival;
            times += departure - arrival;
        }
        expected.push_back({waits / 300, times / 300});
    }
    auto const found = measures_of("mm1.hpp", {{"steps", "300"}}, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(found[i][0], expected[i][0], 1e-5);
        EXPECT_NEAR(found[i][1], expected[i][1], 1e-5);
    }
}

}  // namespace
}  // namespace lockstep::replications::tests
