#pragma once
// Boards by their number, as `lockstep grids` draws them: chooses the variant and the machine, draws sets of the free
// sites, and puts them onto the board.
//
// Unless the user names a variant, the drawn sets depend on the number of free sites, the number of occupied ones, the
// engine, the seed and the board's number, and on nothing else: the method follows from the board, and the machine only
// decides how fast it is. A board's rows do not matter, because the free sites are drawn as one row.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/random_grids/board_mask.hpp"
#include "experiments/random_grids/boards.hpp"
#include "experiments/random_grids/numbered_sets.hpp"
#include "experiments/random_grids/site_counts.hpp"
#include "harness/cli/axis_options.hpp"

namespace lockstep::random_grids {

struct BoardRequest {
    BoardMask mask;
    bool masked = false;                     // by a file
    cli::AxisTexts axes;                     // without grid, streams, length and output
    std::vector<std::uint16_t> site_counts;  // by board number; empty: `occupied` says
    std::string variant = "auto";
    std::string machine = "auto";
    std::uint64_t seed = 1;
    unsigned boards_per_stream = 0;  // 0: sets_per_stream()
    std::uint64_t count = 1;         // decides on the machine
};

class BoardSource {
public:
    // Throws bench::Error if no variant can draw the boards.
    BoardSource(bench::Experiment const& experiment, BoardRequest request);
    BoardSource(BoardSource const&) = delete;
    BoardSource& operator=(BoardSource const&) = delete;

    bench::Variant const& variant() const { return *variant_; }
    unsigned planes() const;
    // The largest number of occupied sites of the boards [first, first + count).
    unsigned max_occupied(std::uint64_t first, std::uint64_t count) const;
    // As many boards as should be drawn at a time.
    std::uint64_t boards_at_a_time() const;

    // Boards `first` to `first + count - 1`; none on ranks other than 0. Collective.
    PackedBoards draw(std::uint64_t first, std::uint64_t count);

private:
    NumberedSets sets_of(std::string const& occupied, std::uint64_t first_stream) const;
    std::vector<std::uint32_t> draw_by_site_counts(std::uint64_t first, std::uint64_t count);
    PackedBoards placed(std::vector<std::uint32_t> sets) const;

    bench::Experiment const& experiment_;
    BoardRequest request_;
    bench::Variant const* variant_ = nullptr;
    unsigned set_planes_ = 1;
    BoardsBySites by_sites_;
    std::map<unsigned, NumberedSets> sets_;  // by number of sites; one if all boards have the same
};

}  // namespace lockstep::random_grids
