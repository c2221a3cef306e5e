// Probing for empty sites on the GPU (slide "Traditional sequential algorithms", variation 2): one thread per stream.
//
// What diverges: the number of probes, N (H_N - H_(N-k)) expected; a warp takes the maximum over its lanes. Words per
// set: one per probe, plus rare rejections. Bytes: 4 per word if stored.

#include "common/random_grids/parameters.hpp"
#include "harness/random/bounded.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Supports boards of at most `capacity` words; a single word stays in a register.
template <unsigned capacity, class Engine, bool stored>
__global__ void __launch_bounds__(128) probe_sets(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, 0);
    Occupied const occupied_sites(p, unit);
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    unsigned const words = capacity == 1 ? 1 : p.height * p.words_per_row;
    unsigned const sites = p.width * p.height;
    unsigned candidates[capacity];
    unsigned subset[capacity];

    for (unsigned board = 0; board < p.length; ++board) {
        for (unsigned i = 0; i < words; ++i)
            subset[i] = word_mask(p, i % p.words_per_row);
        for (unsigned plane = 0; plane < p.planes; ++plane) {
            for (unsigned i = 0; i < words; ++i) {
                candidates[i] = subset[i];
                subset[i] = 0;
            }
            unsigned const occupied = occupied_sites(p, board, plane);
            for (unsigned found = 0; found < occupied;) {
                unsigned const site = random::LOCKSTEP_MACHINE::bounded(engine, sites);
                unsigned const row = p.height == 1 ? 0 : site / p.width;
                unsigned const column = site - row * p.width;
                unsigned const word = capacity == 1 ? 0 : row * p.words_per_row + column / 32;
                unsigned const bit = 1u << column % 32;
                if ((candidates[word] & ~subset[word] & bit) == 0)
                    continue;
                subset[word] |= bit;
                ++found;
            }
            for (unsigned i = 0; i < words; ++i)
                sink.put(subset[i]);
        }
    }
    sink.finish();
}

void add_probe(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "probe", bench::Role::baseline, "probe",
        "probes sites at random, one thread per stream (slide: Traditional algorithms, variation 2)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                unsigned const words = workload.shape.words();
                if (words == 1)
                    return probe_sets<1, Engine, stored>;
                if (words <= 32)
                    return probe_sets<32, Engine, stored>;
                return probe_sets<512, Engine, stored>;
            });
        },
        [](Workload const&) {
            return Mapping{1, 1, 128, 0, Method::probe};
        },
        at_most_512_words));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
