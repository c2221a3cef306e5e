#pragma once
// Sets of k sites as fair bits, for statistical tests of random numbers. Words with a fixed number of ones fail any
// such test by design; their ranks do not. Every set of k out of N has a rank 0 .. C(N, k) - 1 in colexicographic
// order, the sum of C(site, i) over its i-th site (i = 1, 2, ...). If all sets are equally likely, those with a rank
// below the largest power of two, 2^b <= C(N, k), yield b fair bits each.

#include <bit>
#include <cstdint>
#include <vector>

#include "common/random_grids/unrank_tables.hpp"

namespace lockstep::random_grids {

class RankBits {
public:
    // Precondition: at most 64 sites.
    RankBits(unsigned sites, unsigned occupied)
        : bits_(static_cast<unsigned>(std::bit_width(binomial_number(sites, occupied))) - 1),
          choose_(64 * (occupied + 1)) {
        for (unsigned site = 0; site < 64; ++site) {
            for (unsigned i = 0; i <= occupied; ++i)
                choose_[i * 64 + site] = binomial_number(site, i);
        }
    }

    unsigned bits() const { return bits_; }

    std::uint64_t rank(std::uint64_t set) const {
        std::uint64_t sum = 0;
        for (unsigned i = 1; set != 0; ++i, set &= set - 1)
            sum += choose_[i * 64 + static_cast<unsigned>(std::countr_zero(set))];
        return sum;
    }

    // Adds one set's bits, lowest first, and passes full words to put(word).
    template <class Put>
    void add(std::uint64_t set, Put&& put) {
        std::uint64_t const number = rank(set);
        if (number >> bits_ != 0)
            return;
        for (unsigned bit = 0; bit < bits_; ++bit) {
            word_ |= static_cast<std::uint32_t>(number >> bit & 1) << filled_;
            if (++filled_ == 32) {
                put(word_);
                word_ = 0;
                filled_ = 0;
            }
        }
    }

private:
    unsigned bits_;
    std::vector<std::uint64_t> choose_;
    std::uint32_t word_ = 0;
    unsigned filled_ = 0;
};

}  // namespace lockstep::random_grids
