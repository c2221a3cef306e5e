#pragma once
// Counts over samples of sets, and their expected values if every set is equally likely.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/random_grids/workload.hpp"
#include "experiments/random_grids/ranks.hpp"

namespace lockstep::random_grids::tests {

using Set = std::vector<std::uint32_t>;

// Number of occurrences of each subset of `occupied` of at most 64 sites, indexed by rank.
class SubsetCounts {
public:
    SubsetCounts(unsigned sites, unsigned occupied)
        : sites_(sites), occupied_(occupied), ranks_(sites, occupied), counts_(binomial_number(sites, occupied), 0) {}

    // Returns false if the set does not have the right number of sites.
    bool add(std::uint64_t set) {
        if ((sites_ < 64 && set >> sites_ != 0) || static_cast<unsigned>(std::popcount(set)) != occupied_)
            return false;
        ++counts_[ranks_.rank(set)];
        return true;
    }

    std::vector<std::uint64_t> const& counts() const { return counts_; }

private:
    unsigned sites_;
    unsigned occupied_;
    RankBits ranks_;
    std::vector<std::uint64_t> counts_;
};

// The sites of a board (at most 64) as one number; site 0 is the lowest bit.
inline std::uint64_t set_number(Shape const& shape, std::uint32_t const* words) {
    std::uint64_t number = 0;
    for (unsigned word = 0; word < shape.words(); ++word) {
        unsigned const row = word / shape.words_per_row();
        number |= std::uint64_t{words[word]} << (row * shape.width + word % shape.words_per_row() * 32);
    }
    return number;
}

// One byte per site.
inline std::vector<unsigned char> sites_of(Shape const& shape, std::uint32_t const* words) {
    std::vector<unsigned char> sites(shape.sites());
    for (unsigned site = 0; site < shape.sites(); ++site) {
        unsigned const column = site % shape.width;
        sites[site] = words[site / shape.width * shape.words_per_row() + column / 32] >> column % 32 & 1u;
    }
    return sites;
}

// Deviations of large sets from the uniform law, each in units of its standard deviation.
class LargeSetStatistics {
public:
    LargeSetStatistics(unsigned sites, unsigned occupied)
        : sites_(sites), occupied_(occupied), frequency_(sites, 0), products_(sites / 2, 0) {}

    void add(std::vector<unsigned char> const& sites) {
        for (unsigned i = 0; i < sites_; ++i)
            frequency_[i] += sites[i];
        std::vector<std::uint64_t> const once = packed(sites, sites_);
        std::vector<std::uint64_t> const around = packed(sites, sites_ + sites_ / 2);
        for (unsigned lag = 1; lag < sites_ / 2; ++lag) {
            int together = 0;
            for (std::size_t word = 0; word < once.size(); ++word)
                together += std::popcount(once[word] & bits_from(around, 64 * word + lag));
            products_[lag] += together;
        }
        ++boards_;
    }

    // Two boards that should be independent.
    void add_pair(std::vector<unsigned char> const& a, std::vector<unsigned char> const& b) {
        for (unsigned i = 0; i < sites_; ++i)
            overlap_ += a[i] & b[i];
        ++pairs_;
    }

    // Frequencies of sites: their squared deviations are chi-square with N - 1 degrees of freedom (negative covariance
    // included).
    double frequency_z() const {
        double const p = static_cast<double>(occupied_) / sites_;
        double const scale = boards_ * p * (1 - p) * sites_ / (sites_ - 1);
        double sum = 0;
        for (double const count : frequency_)
            sum += (count - boards_ * p) * (count - boards_ * p) / scale;
        double const freedom = sites_ - 1;
        return (sum - freedom) / std::sqrt(2 * freedom);
    }

    // Expected number of pairs of occupied sites at a lag (cyclic) per board: k (k - 1) / (N - 1); the variance is
    // close to N (p (1 - p))^2.
    double lag_z(unsigned lag) const {
        double const p = static_cast<double>(occupied_) / sites_;
        double const expected = static_cast<double>(occupied_) * (occupied_ - 1) / (sites_ - 1);
        return (products_[lag] - boards_ * expected) / (p * (1 - p) * std::sqrt(boards_ * sites_));
    }

    // The largest deviation of a lag, and all lags combined (near 0 for uniform sets).
    double worst_lag_z() const {
        double worst = 0;
        for (unsigned lag = 1; lag < sites_ / 2; ++lag)
            worst = std::max(worst, std::abs(lag_z(lag)));
        return worst;
    }
    double lags_z() const {
        double sum = 0;
        double const lags = sites_ / 2 - 1;
        for (unsigned lag = 1; lag < sites_ / 2; ++lag)
            sum += lag_z(lag) * lag_z(lag);
        return (sum - lags) / std::sqrt(2 * lags);
    }

    // Common sites of independent boards: hypergeometric.
    double overlap_z() const {
        double const k = occupied_;
        double const n = sites_;
        double const variance = k * k * (n - k) * (n - k) / (n * n * (n - 1));
        return (overlap_ - pairs_ * k * k / n) / std::sqrt(pairs_ * variance);
    }

private:
    // The first `count` sites, repeated cyclically: 64 per word, because every lag reads all of them.
    static std::vector<std::uint64_t> packed(std::vector<unsigned char> const& sites, std::size_t count) {
        std::vector<std::uint64_t> words((count + 63) / 64, 0);
        for (std::size_t i = 0; i < count; ++i)
            words[i / 64] |= std::uint64_t{sites[i % sites.size()]} << i % 64;
        return words;
    }

    // The 64 bits from `first` on; 0 after the end.
    static std::uint64_t bits_from(std::vector<std::uint64_t> const& words, std::size_t first) {
        auto const word = [&](std::size_t i) { return i < words.size() ? words[i] : 0; };
        unsigned const shift = first % 64;
        return shift == 0 ? word(first / 64) : word(first / 64) >> shift | word(first / 64 + 1) << (64 - shift);
    }

    unsigned sites_;
    unsigned occupied_;
    double boards_ = 0;
    double pairs_ = 0;
    double overlap_ = 0;
    std::vector<double> frequency_;
    std::vector<double> products_;
};

}  // namespace lockstep::random_grids::tests
