// List of empty sites on the GPU (slide "Traditional sequential algorithms", variation 1): one thread per stream, with
// the list and the subset in local memory, because their indices are random.
//
// What diverges: only the addresses; every set takes exactly k steps. Words per set: k, plus rare rejections. Local
// memory per thread: 2 bytes per site and 4 per word of the board; N + k writes and 3 k reads per set.

#include "common/random_grids/parameters.hpp"
#include "harness/random/bounded.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Supports boards of at most `capacity` words.
template <unsigned capacity, class Engine, bool stored>
__global__ void __launch_bounds__(128) list_sets(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, 0);
    Occupied const occupied_sites(p, unit);
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    unsigned const words = p.height * p.words_per_row;
    unsigned short list[32 * capacity];
    unsigned subset[capacity];

    for (unsigned board = 0; board < p.length; ++board) {
        for (unsigned i = 0; i < words; ++i)
            subset[i] = word_mask(p, i % p.words_per_row);
        for (unsigned plane = 0; plane < p.planes; ++plane) {
            unsigned left = 0;
            for (unsigned i = 0; i < words; ++i) {
                for (unsigned candidates = subset[i]; candidates != 0; candidates &= candidates - 1) {
                    unsigned const bit = static_cast<unsigned>(__ffs(static_cast<int>(candidates))) - 1;
                    list[left++] = static_cast<unsigned short>(32 * i + bit);
                }
                subset[i] = 0;
            }
            unsigned const occupied = occupied_sites(p, board, plane);
            for (unsigned step = 0; step < occupied; ++step) {
                unsigned const at = random::LOCKSTEP_MACHINE::bounded(engine, left);
                unsigned const site = list[at];
                subset[site / 32] |= 1u << site % 32;
                list[at] = list[--left];
            }
            for (unsigned i = 0; i < words; ++i)
                sink.put(subset[i]);
        }
    }
    sink.finish();
}

void add_list(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "list", bench::Role::baseline, "list",
        "picks from a list of empty sites, one thread per stream (slide: Traditional algorithms, variation 1)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                unsigned const words = workload.shape.words();
                if (words <= 2)
                    return list_sets<2, Engine, stored>;
                if (words <= 32)
                    return list_sets<32, Engine, stored>;
                return list_sets<512, Engine, stored>;
            });
        },
        [](Workload const&) {
            return Mapping{1, 1, 128, 0, Method::list};
        },
        at_most_512_words));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
