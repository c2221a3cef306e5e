#pragma once
// The known litmus tests with their verdicts.

#include "tests/harness/simt/weak_memory/litmus.hpp"

namespace lockstep::litmus {

inline constexpr unsigned x = 0;
inline constexpr unsigned y = 1;

using Code = std::vector<Instruction>;

enum class Place { warp, block, grid };

// Lanes of one warp, of warps of one block, or of blocks.
inline Program program(std::vector<Code> const& codes, Place place = Place::grid) {
    Program made;
    for (unsigned i = 0; i < codes.size(); ++i) {
        unsigned const lane = place == Place::warp ? i : place == Place::block ? 32 * (i % 2) + i / 2 : 0;
        made.threads.push_back({place == Place::grid ? i : 0, lane, codes[i]});
    }
    return made;
}

struct Litmus {
    char const* name;
    std::vector<Code> codes;
    std::string outcome;  // the one that a sequentially consistent memory cannot produce
    bool allowed;
};

inline Instruction const device_fence = fence();
inline Strength const acquired = acquire();
inline Strength const released = release();

inline std::vector<Litmus> const& litmus_tests() {
    static std::vector<Litmus> const all = {
        {"MP", {{write(x, 1), write(y, 1)}, {read(y), read(x)}}, "1 0 ; x=1 y=1", true},
        {"MP, fences",
         {{write(x, 1), device_fence, write(y, 1)}, {read(y), device_fence, read(x)}},
         "1 0 ; x=1 y=1",
         false},
        {"MP, writer's fence only",
         {{write(x, 1), device_fence, write(y, 1)}, {read(y), read(x)}},
         "1 0 ; x=1 y=1",
         true},
        {"MP, reader's fence only",
         {{write(x, 1), write(y, 1)}, {read(y), device_fence, read(x)}},
         "1 0 ; x=1 y=1",
         true},
        {"MP, release and acquire",
         {{write(x, 1), write(y, 1, released)}, {read(y, acquired), read(x)}},
         "1 0 ; x=1 y=1",
         false},
        {"MP, release and update",
         {{write(x, 1), write(y, 1, released)}, {exchange(y, 2), read(y, acquired), read(x)}},
         "1 2 0 ; x=1 y=2",
         false},
        {"MP, through an update",
         {{write(x, 1), write(y, 1, released)}, {exchange(y, 2)}, {read(y, acquired), read(x)}},
         "1 2 0 ; x=1 y=2",
         false},
        {"SB", {{write(x, 1), read(y)}, {write(y, 1), read(x)}}, "0 0 ; x=1 y=1", true},
        {"SB, fences",
         {{write(x, 1), device_fence, read(y)}, {write(y, 1), device_fence, read(x)}},
         "0 0 ; x=1 y=1",
         false},
        {"SB, one fence", {{write(x, 1), device_fence, read(y)}, {write(y, 1), read(x)}}, "0 0 ; x=1 y=1", true},
        {"SB, release and acquire",
         {{write(x, 1, released), read(y, acquired)}, {write(y, 1, released), read(x, acquired)}},
         "0 0 ; x=1 y=1",
         true},
        {"R", {{write(x, 1), write(y, 1)}, {write(y, 2), read(x)}}, "0 ; x=1 y=2", true},
        {"R, fences",
         {{write(x, 1), device_fence, write(y, 1)}, {write(y, 2), device_fence, read(x)}},
         "0 ; x=1 y=2",
         false},
        {"S", {{write(x, 2), write(y, 1)}, {read(y), write(x, 1)}}, "1 ; x=2 y=1", true},
        {"S, fences",
         {{write(x, 2), device_fence, write(y, 1)}, {read(y), device_fence, write(x, 1)}},
         "1 ; x=2 y=1",
         false},
        {"2+2W", {{write(x, 1), write(y, 2)}, {write(y, 1), write(x, 2)}}, "; x=1 y=1", true},
        {"2+2W, fences",
         {{write(x, 1), device_fence, write(y, 2)}, {write(y, 1), device_fence, write(x, 2)}},
         "; x=1 y=1",
         false},
        {"IRIW", {{write(x, 1)}, {write(y, 1)}, {read(x), read(y)}, {read(y), read(x)}}, "1 0 1 0 ; x=1 y=1", true},
        {"IRIW, acquire",
         {{write(x, 1, released)},
          {write(y, 1, released)},
          {read(x, acquired), read(y, acquired)},
          {read(y, acquired), read(x, acquired)}},
         "1 0 1 0 ; x=1 y=1",
         true},
        {"IRIW, fences",
         {{write(x, 1)}, {write(y, 1)}, {read(x), device_fence, read(y)}, {read(y), device_fence, read(x)}},
         "1 0 1 0 ; x=1 y=1",
         false},
        {"WRC", {{write(x, 1)}, {read(x), write(y, 1)}, {read(y), read(x)}}, "1 1 0 ; x=1 y=1", true},
        {"WRC, fences",
         {{write(x, 1)}, {read(x), device_fence, write(y, 1)}, {read(y), device_fence, read(x)}},
         "1 1 0 ; x=1 y=1",
         false},
        {"CoRR", {{write(x, 1), write(x, 2)}, {read(x), read(x)}}, "2 1 ; x=2 y=0", false},
        {"CoRR of two readers",
         {{write(x, 1)}, {write(x, 2)}, {read(x), read(x)}, {read(x), read(x)}},
         "1 2 2 1 ; x=1 y=0",
         false},
        {"CoWW", {{write(x, 1), write(x, 2)}}, "; x=1 y=0", false},
        {"CoRW", {{read(x), write(x, 1)}, {write(x, 2)}}, "2 ; x=2 y=0", false},
        {"CoWR", {{write(x, 1), read(x)}, {write(x, 2)}}, "0 ; x=2 y=0", false},
    };
    return all;
}

}  // namespace lockstep::litmus
