// Masks of boards (`grids --mask`).

#include "experiments/random_grids/board_mask.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void mask(std::string const& input) {
    using random_grids::BoardMask;
    accepts([&] {
        BoardMask const read = random_grids::parse_mask(input, "mask");
        std::size_t const free = static_cast<std::size_t>(std::count(input.begin(), input.end(), '?'));
        require(read.free_sites() == free, "each ? is a free site");
        require(read.free_sites() + read.fixed_sites() <= read.shape().sites(), "a site is free or not");
        std::vector<std::uint32_t> const set(read.words_per_plane(), 0xFFFFFFFFu);
        std::vector<std::uint32_t> board(read.words_per_plane(), 0);
        read.place(0, set.data(), board.data());
        std::size_t occupied = 0;
        for (std::uint32_t const word : board)
            occupied += static_cast<std::size_t>(__builtin_popcount(word));
        require(occupied == free + read.fixed_sites(), "a set of all free sites occupies them");
    });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(mask)
