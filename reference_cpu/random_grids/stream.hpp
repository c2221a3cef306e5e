#pragma once
// One unit on the CPU: the boards of a stream, plane by plane, for any algorithm that draws one set.

#include <cstdint>
#include <vector>

#include "common/random_grids/fold.hpp"
#include "common/random_grids/mixed_occupied.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/variant.hpp"
#include "reference_cpu/random_grids/after.hpp"

namespace lockstep::random_grids {

using Words = std::vector<std::uint32_t>;

// Stores the words of sets, or folds for each lane the words of its rows.
class UnitWriter {
public:
    UnitWriter(Workload const& workload, unsigned lanes) : workload_(workload), lanes_(lanes) {
        if (workload.output == Output::folded)
            result_.assign(lanes, 0);
    }

    void put(Words const& set) {
        if (workload_.output == Output::stored) {
            result_.insert(result_.end(), set.begin(), set.end());
            return;
        }
        unsigned const columns = workload_.shape.words_per_row();
        for (unsigned row = 0; row < workload_.shape.height; ++row) {
            std::uint32_t& sum = result_[row % lanes_];
            for (unsigned column = 0; column < columns; ++column)
                sum = cpu::fold(sum, set[row * columns + column]);
        }
    }

    bench::UnitResult take() { return std::move(result_); }

private:
    Workload const& workload_;
    unsigned lanes_;
    bench::UnitResult result_;
};

// draw(candidates, occupied, board) returns one set and is called for each plane of each board in order. `lanes`:
// number of lanes that fold.
template <class Draw>
bench::UnitResult draw_stream(Workload const& workload, std::uint64_t seed, std::uint64_t unit, unsigned lanes,
                              Draw&& draw) {
    UnitWriter writer(workload, lanes);
    unsigned const base = cpu::mixed_base(seed, unit);
    Words const all = workload.shape.all_sites();
    for (unsigned board = 0; board < workload.length; ++board) {
        Words set = all;
        for (unsigned plane = 0; plane < workload.planes(); ++plane) {
            unsigned const occupied =
                workload.mixed() ? cpu::mixed_occupied(base, board, workload.shape.sites()) : workload.occupied[plane];
            set = draw(set, occupied, board);
            writer.put(after_draw(workload, set));
        }
    }
    return writer.take();
}

}  // namespace lockstep::random_grids
