#pragma once
// What the kernel `pooled` (pooled.hpp) is compiled for, its shared memory and its parameters.

#include <type_traits>

#include "common/random_grids/parameters.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/random_grids/multiplied_xorwow.hpp"

namespace lockstep::random_grids {

struct PooledParameters {
    GridParameters grid;
    unsigned rejected = 0;  // words whose last fraction is below this limit name no sites
    unsigned quorum = 0;
    unsigned digits[8] = {};  // one per plane
    unsigned numerators[8] = {};
    unsigned const* mixed_numerators = nullptr;  // one per number of sites from 0 to half of all
    unsigned sites[72] = {};                     // bits of each word that are sites; words past the board have none
    // Constants that are passed at run time: if the compiler knew them, it would replace multiplications by shifts and
    // additions, which run on the busiest pipe.
    unsigned word_bytes = sizeof(unsigned);
    unsigned one = 1;
    unsigned weyl_step = 362437;  // of XORWOW
};

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `words`: of a board. `site_bits`: if not 0, the board has 2^site_bits sites and rows of whole words. `coloured`: it
// has further planes, drawn among the sites of the previous one. `full_words`: words that every board of the build
// fills with sites. `width`: of its rows, 0 if any.
template <unsigned words_, unsigned site_bits_, bool coloured_, unsigned full_words_, unsigned width_ = 0>
struct PooledBuildOf {
    static constexpr unsigned width = width_;
    static constexpr unsigned words = words_;
    static constexpr unsigned site_bits = site_bits_;
    static constexpr bool coloured = coloured_;
    static constexpr unsigned full_words = full_words_;
    static constexpr bool whole = site_bits != 0;
    static_assert(!whole || full_words == words);
    static constexpr unsigned threads = words <= 36 ? 128 : 32;  // per block
    static constexpr unsigned warps = threads / 32;
    static constexpr unsigned probes = words <= 32 ? 3 : 2;  // per random word
};

template <class Build>
struct PooledTile {
    SharedArray<unsigned, Build::threads * Build::words> taken;
    SharedArray<unsigned, (Build::coloured ? Build::threads * Build::words : 1)> sets;
    SharedArray<unsigned, Build::threads> given;  // board and number of hits
    SharedArray<unsigned, Build::threads> twice;  // sites of each board that were taken twice
};

// Whether an engine makes four words at once.
template <class Engine>
inline constexpr bool draws_fours = requires(Engine engine) {
    engine.next4();
};

// Blocks that shall fit a multiprocessor. The compiler gives a thread as many registers as this allows.
template <class Build, class Engine>
inline constexpr unsigned pooled_blocks = Build::threads == 32  ? 1
                                          : Build::words <= 20  ? 10
                                          : Build::coloured     ? 5
                                          : draws_fours<Engine> ? 8
                                          : Build::whole        ? 9
                                                                : 8;

// The engine of a stream. Only 32 x 32 gains by additions that are multiplications.
template <class Build, class Engine>
__device__ inline auto pooled_engine(PooledParameters const& p, unsigned long long unit) {
    if constexpr (Build::whole && std::is_same_v<Engine, random::LOCKSTEP_MACHINE::Xorwow>)
        return MultipliedXorwow(p.grid.seed, unit, p.weyl_step, p.one);
    else
        return Engine::stream(p.grid.seed, unit, 0);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
