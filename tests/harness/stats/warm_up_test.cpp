// MSER-5 against its definition, and on series whose warm-up is known.

#include "harness/stats/warm_up.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "harness/random/philox.hpp"
#include "harness/random/uniform.hpp"

namespace lockstep::stats {
namespace {

// The definition, with two passes over the means after each truncation point.
std::size_t by_definition(std::vector<double> const& series) {
    std::vector<double> means;
    for (std::size_t i = 0; i + 5 <= series.size(); i += 5)
        means.push_back((series[i] + series[i + 1] + series[i + 2] + series[i + 3] + series[i + 4]) / 5);
    std::size_t best = 0;
    double best_error = std::numeric_limits<double>::infinity();
    for (std::size_t first = 0; first <= means.size() / 2; ++first) {
        auto const count = static_cast<double>(means.size() - first);
        double mean = 0;
        for (std::size_t i = first; i < means.size(); ++i)
            mean += means[i] / count;
        double squares = 0;
        for (std::size_t i = first; i < means.size(); ++i)
            squares += (means[i] - mean) * (means[i] - mean);
        if (squares / (count * count) < best_error) {
            best = first;
            best_error = squares / (count * count);
        }
    }
    return 5 * best;
}

TEST(Mser5, IsItsDefinition) {
    random::cpu::Philox4x32<10> engine = random::cpu::Philox4x32<10>::stream(3, 0, 0);
    for (std::size_t const size : {20u, 21u, 53u, 400u}) {
        for (double const warm_up : {0.0, 5.0, 30.0}) {
            std::vector<double> series;
            for (std::size_t i = 0; i < size; ++i)
                series.push_back(random::cpu::uniform_double(engine) + 4 * std::exp(-double(i) / (warm_up + 0.1)));
            if (std::optional<std::size_t> const found = mser5(series))
                EXPECT_EQ(*found, by_definition(series)) << size << " " << warm_up;
            else
                EXPECT_EQ(by_definition(series), size / 5 / 2 * 5);
        }
    }
}

TEST(Mser5, LeavesOutWhatDiffers) {
    std::vector<double> series(200, 1.0);
    EXPECT_EQ(mser5(series), 0u);
    for (std::size_t i = 0; i < 15; ++i)
        series[i] = 9;
    EXPECT_EQ(mser5(series), 15u);
}

TEST(Mser5, RefusesSeriesThatAreTooShort) {
    EXPECT_FALSE(mser5(std::vector<double>(19, 1.0)));
    std::vector<double> rising;
    for (int i = 0; i < 100; ++i)
        rising.push_back(i);
    EXPECT_FALSE(mser5(rising));
    rising[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(mser5(rising)), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::stats
