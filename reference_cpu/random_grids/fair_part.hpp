#pragma once
// The executable specification of `fair_part`: sets of N <= 64 sites with k near N/2.
//
//   All sites but the last h = min(16, N) get a fair bit each; c of them are set. A number r of b bits, 2^b >= C(h, h/2), is drawn with them. If
//   r < C(h, k - c), the last h sites become the r-th mask of k - c bits, else start over.
//
// Exact: each set of k sites is the outcome of exactly one (bits, r) out of 2^(N - h + b), and only of that one. The chance of a try is
// C(N, k) / 2^(N - h + b): 0.56 for 16 of 32, 0.40 for 32 of 64, next to nothing for k far from N/2.
//
// A try takes one word up to 32 sites (bits from below, r from above), else two, the second one like that.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "reference_cpu/random_grids/unrank_tables.hpp"
#include "reference_cpu/random_grids/workload.hpp"

namespace lockstep::random_grids {

// What a try needs to know.
struct FairPart {
    FairPart(unsigned sites, unsigned wanted, unsigned most_last = 16)
        : occupied(wanted), last(std::min(most_last, sites)), fair(sites - last) {
        std::uint64_t const most = binomial_number(last, last / 2);
        number_bits = std::max(1u, static_cast<unsigned>(std::bit_width(most - 1)));
    }

    // Masks that may fill the last sites where c of the fair ones are set.
    std::uint64_t completions(unsigned c) const { return c > occupied ? 0 : binomial_number(last, occupied - c); }
    // The chance of a try.
    double chance() const {
        double sets = 0;
        for (unsigned c = 0; c <= fair; ++c) {
            sets += static_cast<double>(binomial_number(fair, c)) * static_cast<double>(completions(c));
        }
        for (unsigned i = 0; i < fair + number_bits; ++i) sets /= 2;
        return sets;
    }

    unsigned occupied;
    unsigned last;         // h
    unsigned fair;         // N - h
    unsigned number_bits;  // b
};

// `word_bits` is what one word holds (32, fewer in tests); fair bits past the first word come from the second.
template <class NextWord>
std::uint64_t draw_fair_part(FairPart const& part, unsigned word_bits, NextWord&& next_word) {
    std::uint64_t const fair_mask = (std::uint64_t{1} << part.fair) - 1;
    bool const two = part.fair + part.last > word_bits;
    for (;;) {
        std::uint64_t const first = next_word();
        std::uint64_t const second = two ? next_word() : 0;
        std::uint64_t const bits = (second << word_bits | first) & fair_mask;
        std::uint64_t const number = (two ? second : first) >> (word_bits - part.number_bits);
        unsigned const count = static_cast<unsigned>(std::popcount(bits));
        if (number >= part.completions(count)) continue;
        std::uint64_t mask = (std::uint64_t{1} << (part.occupied - count)) - 1;
        for (std::uint64_t i = 0; i < number; ++i) {  // the next larger number with as many bits
            std::uint64_t const lowest = mask & (0 - mask);
            std::uint64_t const carried = mask + lowest;
            mask = carried | ((mask ^ carried) / lowest >> 2);
        }
        return bits | mask << part.fair;
    }
}

// Empty where `fair_part` takes the workload.
std::string why_not_fair_part(Workload const& workload);

}  // namespace lockstep::random_grids
