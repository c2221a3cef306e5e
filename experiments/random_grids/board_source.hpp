#pragma once
// Boards by their number, as `lockstep grids` draws them: chooses the variant and the machine, draws sets of the free
// sites, and puts them onto the board.
//
// Unless the user names a variant, the drawn sets depend on the number of free sites, the number of occupied ones, the
// engine, the seed and the board's number, and on nothing else: the method follows from the board, and the machine only
// decides how fast it is. A board's rows do not matter, because the free sites are drawn as one row.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
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

    std::size_t words_per_board() const { return std::size_t{planes()} * request_.mask.words_per_plane(); }
    // Uninitialised memory for that many boards, which the machine fills the fastest.
    std::shared_ptr<void> memory_for(std::uint64_t boards) const;
    // True if draw() takes neither the cores nor the ranks, so that another thread should call it: on one rank, by a
    // GPU.
    bool draws_aside() const;

    // Sets in memory of the machine; null on a CPU, for boards of different k and for padded ones.
    DeviceSets* on_device() const { return sets_.empty() ? nullptr : sets_.begin()->second.on_device(); }

    // Stores boards `first` to `first + count - 1`, as PackedBoards has them, to `to`, which is empty on ranks other
    // than 0. Collective.
    void draw(std::uint64_t first, std::uint64_t count, std::span<std::uint32_t> to);

private:
    NumberedSets sets_of(std::string const& occupied, std::uint64_t first_stream) const;
    void draw_sets(std::uint64_t first, std::uint64_t count, std::span<std::uint32_t> to);
    void draw_by_site_counts(std::uint64_t first, std::uint64_t count, std::span<std::uint32_t> to);
    void place(std::vector<std::uint32_t> const& sets, std::span<std::uint32_t> boards) const;

    bench::Experiment const& experiment_;
    BoardRequest request_;
    bench::Variant const* variant_ = nullptr;
    unsigned set_planes_ = 1;
    BoardsBySites by_sites_;
    std::map<unsigned, NumberedSets> sets_;  // by number of sites; one if all boards have the same
};

}  // namespace lockstep::random_grids
