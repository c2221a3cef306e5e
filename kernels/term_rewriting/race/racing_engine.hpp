#pragma once
// Runs two engines on one term; the first to finish wins. This is `--machine auto`. With little parallelism a CPU is
// much faster than a GPU, and with much parallelism much slower. How parallel a term is becomes known only during its
// rewriting. The engines use different hardware, so both run: the time is that of the faster one, plus the later start
// of the second, plus the little by which it slows the first one down.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

struct Racer {
    std::string name;
    std::function<std::unique_ptr<Engine>()> make;
    // Steps that precede the first make(), such as loading a GPU's driver. A process that ends during a step waits
    // until the step ends, and then for what the step has opened to close. So the next step begins only if the race
    // still goes on. Only the second racer's steps are used.
    std::vector<std::function<void()>> opening = {};
};

struct RaceOptions {
    // Seconds by which the second engine starts after the first, so that a short term does not use it.
    double head_start = 0.00001;
    // Seconds that the first engine gets alone with each input once subterms wait, unless make_ready() was called for
    // it. Opening a GPU, compiling for it and allocating its memory take much longer than a short term, and closing it
    // delays the end of the process. The second engine does these while the first one goes on. The default balances two
    // worst cases. If the first engine finishes just after this time, the process waits for an opening step. If the
    // second engine wins as soon as it is open, the race has lost this time.
    // 0: the race starts immediately, and the constructor makes the second engine.
    double alone = 0.15;
    // Subterms that wait in the first engine before the second one joins, if the first engine knows their number.
    // Without any, the term has no parallelism.
    std::size_t min_waiting = 1;
    // Independent terms of the input from which on the second engine begins together with the first one, without a head
    // start, if both are ready.
    std::size_t many_terms = 1000;
    // Terms that outlive the engine, so that an input in them needs no copy.
    Terms const* lasting = nullptr;
};

// If the first engine calls back while it runs and both engines are ready, run() does its work on the calling thread,
// and begins the second engine once subterms wait, or first if the input has many terms. So a short or sequential term
// costs nothing more than in the first engine.
//
// The memory limit holds for each engine, because each has its own memory. An end that the other engine would also
// reach decides the race: finished, or too many rewrites. A first engine that stops, on request or after a rule of
// Limits::stop_after, ends the race. Out of memory and exceptions leave the race to the other engine. The limit of time
// is for both. A second engine that cannot be made, or that throws, is not used again. A run never waits for a second
// engine that is being made for an earlier input. The second engine uses the GPU that the thread has selected that
// makes this engine (simt::use_device).
std::unique_ptr<Engine> make_racing_engine(Racer const& first, Racer const& second, RaceOptions const& options = {});

}  // namespace lockstep::term_rewriting
