// Warpwise for boards of more than 32 rows or columns: lane l holds rows l, l + 32, ... with all of their words (slide
// "Comparison": "a 64x64 grid can be handled by processing two folded rows", "only four 32 bit word" per thread). As in
// warpwise, nothing diverges; one warp sum serves all words of a lane. Bytes and operations per word are those of
// warpwise. Precondition: the board's rows and words are those of a compiled size.

#include "common/random_grids/parameters.hpp"
#include "kernels/random_grids/warp_sum.hpp"

#include "common/random_grids/grid_case.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `rows` rows per lane, each of `columns` words.
template <unsigned rows, unsigned columns, class Engine, bool stored>
__global__ void __launch_bounds__(256)
    warpwise_folded(__grid_constant__ GridParameters const p, unsigned* const results) {
    constexpr unsigned words = rows * columns;
    constexpr unsigned warp = warp_size;
    unsigned long long const stream = global_thread() / warp;
    if (stream >= p.streams)
        return;
    unsigned const lane = threadIdx.x % warp;
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, lane);
    Occupied const occupied_sites(p, unit);
    unsigned* board_results = results + stream * words_of_stream(p, true);
    unsigned sum = 0;

    for (unsigned board = 0; board < p.length; ++board) {
        unsigned subset[words];
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            subset[i] = i / columns * warp + lane >= p.height ? 0
                        : i % columns + 1 < columns           ? 0xFFFFFFFFu
                                                              : p.last_mask;
        }
        for (unsigned plane = 0; plane < p.planes; ++plane) {
            unsigned const occupied = occupied_sites(p, board, plane);
            unsigned candidates[words];
            unsigned selected[words];
            unsigned included = 0;
#pragma unroll
            for (unsigned i = 0; i < words; ++i) {
                candidates[i] = subset[i];
                subset[i] = 0;
            }
            while (included != occupied) {
                unsigned count = 0;
                draw_words(engine, selected);
#pragma unroll
                for (unsigned i = 0; i < words; ++i) {
                    selected[i] &= candidates[i];
                    count += static_cast<unsigned>(__popc(selected[i]));
                }
                count = ButterflySum::sum(count);
                if (included + count <= occupied) {
                    included += count;
#pragma unroll
                    for (unsigned i = 0; i < words; ++i) {
                        subset[i] |= selected[i];
                        candidates[i] &= ~selected[i];
                    }
                } else {
#pragma unroll
                    for (unsigned i = 0; i < words; ++i)
                        candidates[i] = selected[i];
                }
            }
#pragma unroll
            for (unsigned i = 0; i < words; ++i) {
                unsigned const row = i / columns * warp + lane;
                if (row >= p.height)
                    continue;
                if (stored)
                    board_results[row * columns + i % columns] = subset[i];
                sum = fold(sum, subset[i]);
            }
            board_results += stored ? p.height * columns : 0;
        }
    }
    if (!stored)
        results[stream * warp + lane] = sum;
}

namespace {

struct FoldedSize {
    unsigned rows;
    unsigned columns;
    GridKernel (*pick)(Workload const&);
};

template <unsigned rows, unsigned columns>
GridKernel pick_folded(Workload const& workload) {
    return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
        return warpwise_folded<rows, columns, Engine, stored>;
    });
}

constexpr FoldedSize folded_sizes[] = {{1, 1, pick_folded<1, 1>}, {1, 2, pick_folded<1, 2>}, {2, 1, pick_folded<2, 1>},
                                       {2, 2, pick_folded<2, 2>}, {3, 3, pick_folded<3, 3>}, {4, 4, pick_folded<4, 4>}};

FoldedSize const* folded_size_of(Workload const& workload) {
    for (FoldedSize const& size : folded_sizes) {
        if (size.rows == simt::ceil_div(workload.shape.height, 32u) && size.columns == workload.shape.words_per_row())
            return &size;
    }
    return nullptr;
}

}  // namespace

void add_warpwise_folded(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "warpwise_folded", bench::Role::paper, "halving_by_lane",
        "warpwise with several rows and words per lane, for 64x64 and 128x128 (slide: Comparison)",
        [](Workload const& workload) { return folded_size_of(workload)->pick(workload); }, warp_mapping,
        [](Workload const& workload) -> std::string {
            return folded_size_of(workload) == nullptr
                       ? "its sizes are compiled in: up to 32x32, 64x32, 32x64, 64x64, 96x96 "
                         "(from 65x65) or 128x128 (from 97x97) sites"
                       : "";
        }));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
