// The CPU contender: halving on every core, with the CPU's population count. Threads take runs of streams, and draw
// eight of them at a time in vectors (XORWOW, boards of several words) or one at a time in an array. Equal to the
// reference `halving`.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <vector>

#include "baselines/random_grids/eight_streams.hpp"
#include "common/random_grids/engines.hpp"
#include "common/random_grids/fold.hpp"
#include "common/random_grids/mixed_occupied.hpp"
#include "common/random_grids/work.hpp"
#include "harness/bench/cpu_clones.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::random_grids {

namespace {

// Description of the boards to draw.
struct Boards {
    Workload workload;
    std::vector<std::uint32_t> all;
    std::uint64_t seed = 0;
};

// Storage for a set: `fixed` words if known at compile time, else (0) as many as the largest board has.
template <unsigned fixed>
struct Sets {
    alignas(64) std::array<std::uint32_t, fixed == 0 ? max_sites : fixed> subset, candidates, selected;
};

template <unsigned fixed, class Engine>
inline void draw_set(Engine& engine, Sets<fixed>& sets, unsigned run_time_words, unsigned occupied) {
    unsigned const words = fixed == 0 ? run_time_words : fixed;
    for (unsigned i = 0; i < words; ++i) {
        sets.candidates[i] = sets.subset[i];
        sets.subset[i] = 0;
    }
    unsigned included = 0;
    while (included != occupied) {
        unsigned count = 0;
        for (unsigned i = 0; i < words; ++i)
            sets.selected[i] = engine() & sets.candidates[i];
        for (unsigned i = 0; i < words; ++i)
            count += static_cast<unsigned>(std::popcount(sets.selected[i]));
        if (included + count <= occupied) {
            for (unsigned i = 0; i < words; ++i) {
                sets.subset[i] |= sets.selected[i];
                sets.candidates[i] &= ~sets.selected[i];
            }
            included += count;
        } else {
            for (unsigned i = 0; i < words; ++i)
                sets.candidates[i] = sets.selected[i];
        }
    }
}

template <unsigned fixed, class Engine>
inline void draw_boards(Boards const& boards, std::uint64_t unit, std::uint32_t* result) {
    Workload const& workload = boards.workload;
    unsigned const words = static_cast<unsigned>(boards.all.size());
    unsigned const base = cpu::mixed_base(boards.seed, unit);
    Engine engine = Engine::stream(boards.seed, unit, 0);
    Sets<fixed> sets;
    std::uint32_t sum = 0;
    for (unsigned board = 0; board < workload.length; ++board) {
        std::copy_n(boards.all.begin(), words, sets.subset.begin());
        for (unsigned plane = 0; plane < workload.planes(); ++plane) {
            unsigned const occupied =
                workload.mixed() ? cpu::mixed_occupied(base, board, workload.shape.sites()) : workload.occupied[plane];
            draw_set<fixed>(engine, sets, words, occupied);
            if (workload.output == Output::stored) {
                result = std::copy_n(sets.subset.begin(), words, result);
            } else {
                for (unsigned i = 0; i < words; ++i)
                    sum = cpu::fold(sum, sets.subset[i]);
            }
        }
    }
    if (workload.output == Output::folded)
        *result = sum;
}

LOCKSTEP_CPU_CLONES void xorwow_word(Boards const& b, std::uint64_t unit, std::uint32_t* result) {
    draw_boards<1, random::cpu::Xorwow>(b, unit, result);
}
LOCKSTEP_CPU_CLONES void philox7_any(Boards const& b, std::uint64_t unit, std::uint32_t* result) {
    draw_boards<0, random::cpu::Philox4x32<7>>(b, unit, result);
}
LOCKSTEP_CPU_CLONES void philox10_any(Boards const& b, std::uint64_t unit, std::uint32_t* result) {
    draw_boards<0, random::cpu::Philox4x32<10>>(b, unit, result);
}
LOCKSTEP_CPU_CLONES void taus88_any(Boards const& b, std::uint64_t unit, std::uint32_t* result) {
    draw_boards<0, random::cpu::Taus88>(b, unit, result);
}

LOCKSTEP_CPU_CLONES void xorwow_eight(EightStreams& streams, std::uint64_t seed, std::uint64_t unit, unsigned count,
                                      std::uint32_t* const* results) {
    streams.run(seed, unit, count, results);
}

// Draws the boards of `count` consecutive units, whose results are `words` words apart.
void draw_units(Boards const& boards, EightStreams& eight, std::uint64_t unit, std::uint64_t count,
                std::uint32_t* result, std::size_t words) {
    std::string const& engine = boards.workload.engine;
    if (engine == "xorwow" && boards.all.size() > 1) {
        std::array<std::uint32_t*, vector_lanes> results;
        for (std::uint64_t first = 0; first < count; first += vector_lanes) {
            unsigned const streams = static_cast<unsigned>(std::min<std::uint64_t>(vector_lanes, count - first));
            for (unsigned lane = 0; lane < streams; ++lane)
                results[lane] = result + (first + lane) * words;
            xorwow_eight(eight, boards.seed, unit + first, streams, results.data());
        }
        return;
    }
    auto const draw = engine == "philox7"    ? philox7_any
                      : engine == "philox10" ? philox10_any
                      : engine == "taus88"   ? taus88_any
                                             : xorwow_word;
    for (std::uint64_t i = 0; i < count; ++i)
        draw(boards, unit + i, result + i * words);
}

class AllCoresCase : public bench::cpu::StoredCase {
public:
    explicit AllCoresCase(bench::Problem const& problem)
        : StoredCase(problem, read_workload(problem.axes).words_per_unit(1)),
          boards_{read_workload(problem.axes), {}, problem.seed} {
        boards_.all = boards_.workload.shape.all_sites();
    }

    void reset() override {
        StoredCase::reset();
        threads::shared_pool().rouse();
    }

    void run(simt::Stream) override {
        std::uint64_t const units = problem().units;
        std::atomic<std::uint64_t> next = 0;
        auto const work = [&] {
            constexpr std::uint64_t at_once = 2 * vector_lanes;
            EightStreams eight(boards_.workload, boards_.all);
            std::size_t const words = output().layout().words;
            for (;;) {
                std::uint64_t const first = next.fetch_add(at_once);
                if (first >= units)
                    return;
                draw_units(boards_, eight, problem().first_unit + first, std::min(at_once, units - first),
                           output().data() + first * words, words);
            }
        };
        threads::Pool& pool = threads::shared_pool();
        pool.run(pool.width(), [&](std::size_t) { work(); });
    }

    bench::Work work() const override { return work_of(boards_.workload, problem().units, 1, Method::halving); }

private:
    Boards boards_;
};

}  // namespace

namespace cpu {

void add_all_cores(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "all_cores", bench::Role::contender, "halving",
        "halving on every core of the CPU, with population count and vector instructions",
        [](bench::Problem const& problem) { return std::make_unique<AllCoresCase>(problem); }));
}

}  // namespace cpu

}  // namespace lockstep::random_grids
