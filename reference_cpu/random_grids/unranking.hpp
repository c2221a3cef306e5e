#pragma once
// The executable specification of `unranked`: a set is drawn by its number, with no loop over its sites.
//
// Up to 2h sites (h = 16): the sets of k sites are numbered by the count j in the low h sites, then by the low part,
// then by the rest, each part in rising order of its value. A uniform number below C(N, k) comes from one word by
// Lemire's multiplication with rejection. So every set has the same chance, exactly.
//
// Up to 4h sites: the count J in the low 2h sites comes first. Of the 2^64 numbers U of two words those below
// floor((2^64 - 1) / C) C are used, C = C(N, k); the same number of them stands for each set. J is the one with t_J <=
// U < t_(J+1), where t_J = floor(...) x (sets with a smaller count). The upper word nearly always decides, so the lower
// one is drawn only where it does not. Then both parts are drawn by number, each from words of its own.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "harness/random/bounded.hpp"
#include "reference_cpu/random_grids/unrank_tables.hpp"

namespace lockstep::random_grids {

// Masks of `bits` bits of each population, in rising order.
inline std::vector<std::vector<std::uint32_t>> masks_by_population(unsigned bits) {
    std::vector<std::vector<std::uint32_t>> masks(bits + 1);
    for (std::uint32_t mask = 0; mask < 1u << bits; ++mask) {
        masks[static_cast<unsigned>(std::popcount(mask))].push_back(mask);
    }
    return masks;
}

class Unranking {
public:
    explicit Unranking(unsigned half) : half_(half), masks_(masks_by_population(half)) {}

    // The set of that number among those of k out of `sites`, at most 2 half.
    std::uint64_t set(unsigned sites, unsigned k, std::uint64_t number) const {
        unsigned const low = std::min(half_, sites);
        unsigned const high = sites - low;
        for (unsigned j = k > high ? k - high : 0;; ++j) {
            std::uint64_t const rests = binomial_number(high, k - j);
            std::uint64_t const sets = binomial_number(low, j) * rests;
            if (number >= sets) {
                number -= sets;
                continue;
            }
            return masks_[j][number / rests] | std::uint64_t{masks_[k - j][number % rests]} << half_;
        }
    }

    // Draws one of at most 2 half sites.
    template <class Engine>
    std::uint64_t draw_part(Engine& engine, unsigned sites, unsigned k) const {
        return set(sites, k, random::cpu::bounded(engine, static_cast<unsigned>(binomial_number(sites, k))));
    }

    // Draws one of at most 4 half sites.
    template <class Engine>
    std::uint64_t draw(Engine& engine, unsigned sites, unsigned k) const {
        unsigned const low = 2 * half_;
        if (sites <= low)
            return draw_part(engine, sites, k);
        unsigned const in_low = draw_count(engine, sites, low, k);
        std::uint64_t const low_part = draw_part(engine, low, in_low);
        return low_part | draw_part(engine, sites - low, k - in_low) << low;
    }

private:
    // How many of k out of `sites` lie in the first `low`.
    template <class Engine>
    static unsigned draw_count(Engine& engine, unsigned sites, unsigned low, unsigned k) {
        unsigned const bits = static_cast<unsigned>(std::bit_width(Engine::max()));
        std::uint64_t const last = bits == 32 ? ~std::uint64_t{0} : (std::uint64_t{1} << 2 * bits) - 1;
        std::uint64_t const sets = binomial_number(sites, k);
        std::uint64_t const scale = last / sets;
        for (;;) {
            std::uint64_t number = std::uint64_t{engine()} << bits;
            std::uint64_t const word = number >> bits;
            bool needs_second = word == scale * sets >> bits;
            std::uint64_t before = 0;
            for (unsigned j = k > sites - low ? k - (sites - low) : 0; j <= std::min(low, k); ++j) {
                needs_second = needs_second || word == scale * before >> bits;
                before += binomial_number(low, j) * binomial_number(sites - low, k - j);
            }
            if (needs_second)
                number |= engine();
            if (number >= scale * sets)
                continue;
            before = 0;
            for (unsigned j = k > sites - low ? k - (sites - low) : 0;; ++j) {
                before += binomial_number(low, j) * binomial_number(sites - low, k - j);
                if (number < scale * before)
                    return j;
            }
        }
    }

    unsigned half_;
    std::vector<std::vector<std::uint32_t>> masks_;
};

}  // namespace lockstep::random_grids
