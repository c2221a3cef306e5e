#pragma once
// Two engines on one term, the first to finish wins: `--machine auto`. Where there is little to do at once a CPU is a
// hundred times as fast as a GPU, and where there is much a GPU beats it as clearly; which it is shows only while a
// term is rewritten. Both are at hand and neither takes much from the other, so both are tried: the time is the better
// one's, the little that the second begins later, and what it takes from the first.

#include <functional>
#include <memory>
#include <string>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

struct Racer {
    std::string name;
    std::function<std::unique_ptr<Engine>()> make;
};

struct RaceOptions {
    // The second engine begins so much later than the first: a short term leaves it alone.
    double head_start = 0.0003;
    // The first engine's time with each input, alone, unless make_ready() was called for it: to open a GPU, or to take
    // its memory, takes much longer than a short term does. What the first has done by then is lost. 0: none, and the
    // second engine is made at once.
    double alone = 0.02;
};

// The limit of memory is that of each engine, as they have memories of their own. A verdict that the other engine would
// give too ends the race: finished, too many rewrites. One that ends otherwise, or throws, leaves it to the other. A
// second engine that cannot be made, or that throws, is not asked again.
std::unique_ptr<Engine> make_racing_engine(Racer const& first, Racer const& second, RaceOptions const& options = {});

}  // namespace lockstep::term_rewriting
