#include "harness/stats/interval.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "harness/stats/summary.hpp"

namespace lockstep::stats {
namespace {

void check_level(double level) {
    if (!(level > 0 && level < 1)) {
        throw std::invalid_argument("the level of an interval must be between 0 and 1");
    }
}

// P(fewer than `count` of n values lie below the median).
double fewer_below_median(std::size_t n, std::size_t count) {
    if (count == 0) {
        return 0;
    }
    boost::math::binomial_distribution<double> const below(static_cast<double>(n), 0.5);
    return boost::math::cdf(below, static_cast<double>(count - 1));
}

}  // namespace

std::optional<Interval> median_interval(std::span<double const> sample, double level) {
    check_level(level);
    std::vector<double> const values = sorted(sample);
    std::size_t const n = values.size();
    double const tail = (1 - level) / 2;
    // Binary search for the largest k whose tail is small enough: fewer_below_median increases with k, and at n / 2 + 1
    // it exceeds every tail.
    std::size_t k = 0;
    for (std::size_t above = n / 2 + 2; above - k > 1;) {
        std::size_t const middle = k + (above - k) / 2;
        (fewer_below_median(n, middle) <= tail ? k : above) = middle;
    }
    if (k == 0) {
        return std::nullopt;
    }
    return Interval{values[k - 1], values[n - k], 1 - 2 * fewer_below_median(n, k)};
}

std::optional<Interval> quantile_interval(std::span<double const> sample, double probability, double level) {
    check_level(level);
    if (!(probability > 0 && probability < 1)) {
        throw std::invalid_argument("the probability of a quantile must be between 0 and 1");
    }
    std::vector<double> const values = sorted(sample);
    std::size_t const n = values.size();
    boost::math::binomial_distribution<double> const below(static_cast<double>(n), probability);
    // P(at most `count` values lie below the quantile).
    auto const at_most = [&](std::size_t count) { return boost::math::cdf(below, static_cast<double>(count)); };
    auto const above = [&](std::size_t count) {
        return boost::math::cdf(boost::math::complement(below, static_cast<double>(count)));
    };
    double const tail = (1 - level) / 2;
    // Ranks count from 1. at_most(l - 1) increases with l, and above(u - 1) decreases with u.
    std::size_t low = 0;
    for (std::size_t end = n + 1; end - low > 1;) {
        std::size_t const middle = low + (end - low) / 2;
        (at_most(middle - 1) <= tail ? low : end) = middle;
    }
    std::size_t high = n + 1;
    for (std::size_t begin = 0; high - begin > 1;) {
        std::size_t const middle = begin + (high - begin) / 2;
        (above(middle - 1) <= tail ? high : begin) = middle;
    }
    if (low == 0 || high == n + 1) {
        return std::nullopt;
    }
    return Interval{values[low - 1], values[high - 1], 1 - at_most(low - 1) - above(high - 1)};
}

std::optional<Interval> student_interval(std::span<double const> sample, double level) {
    check_level(level);
    double const middle = mean(sample);
    if (sample.size() < 2) {
        return std::nullopt;
    }
    auto const n = static_cast<double>(sample.size());
    double const t = boost::math::quantile(boost::math::complement(boost::math::students_t(n - 1), (1 - level) / 2));
    double const half = t * *sigma(sample) / std::sqrt(n);
    return Interval{middle - half, middle + half, level};
}

Interval clopper_pearson_interval(std::uint64_t successes, std::uint64_t trials, double level) {
    check_level(level);
    if (successes > trials) {
        throw std::invalid_argument("more successes than trials");
    }
    if (trials == 0) {
        return {0, 1, level};
    }
    using Binomial = boost::math::binomial_distribution<double>;
    auto const s = static_cast<double>(successes);
    auto const n = static_cast<double>(trials);
    double const tail = (1 - level) / 2;
    double const low = successes == 0 ? 0 : Binomial::find_lower_bound_on_p(n, s, tail);
    double const high = successes == trials ? 1 : Binomial::find_upper_bound_on_p(n, s, tail);
    return {low, high, level};
}

}  // namespace lockstep::stats
