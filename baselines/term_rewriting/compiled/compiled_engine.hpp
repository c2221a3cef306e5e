#pragma once
// The CPU contender: the rewrite system as generated C++, built with the machine's C++ compiler, on one or more cores.

#include <functional>
#include <memory>

#include "common/term_rewriting/engine.hpp"
#include "harness/jit/background_compile.hpp"

namespace lockstep::term_rewriting {

// `workers`: number of workers; 0 means one per core. `packed`: false selects WideTerms, the layout for systems with
// too many symbols for PackedTerms (abi.hpp).
std::unique_ptr<Engine> make_compiled_engine(System const& system, std::size_t workers, bool packed = true);

// An engine whose program may be compiled in the background.
struct ComingEngine {
    std::shared_ptr<jit::BackgroundCompile> compile;  // null if nothing has to be compiled
    std::function<std::unique_ptr<Engine>()> make;    // waits for a compiler if it is still needed
};

// Arguments as above. With four workers or more, the program for one worker runs on the same input, and the first of
// the two to finish gives the result (program_race.hpp). `compile` is then of the program for one worker; the other one
// joins once it is compiled. Every run of the engine begins with one worker of a program. make_ready() makes the
// threads of the others, so that all of them begin soon, unless a run with the same limit of memory came before. Throws
// bench::Error if the cache is not usable.
ComingEngine begin_compiled_engine(System const& system, std::size_t workers, bool packed = true);

// Returns the number of workers that had begun the last run of such an engine or were called to join it, of the program
// for many workers if that one ran. Without make_ready(), every run begins with one.
std::size_t workers_of_last_run(Engine const& engine);

}  // namespace lockstep::term_rewriting
