#pragma once
// The first use of a system: a compiler takes much longer than a short term. So an engine that interprets the rules
// starts at once, on the calling thread, while the compiler works in the background. The first of the two to finish
// gives the result: when the compiled engine is ready, the interpreting one is stopped and its run is dropped.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

enum class Readiness { pending, ready, failed };

struct FirstUse {
    std::string interpreting_name;
    std::function<std::unique_ptr<Engine>()> make_interpreting;
    std::string compiled_name;
    // Called once readiness() has returned `ready`. If it throws, the interpreting engine works alone.
    std::function<std::unique_ptr<Engine>()> make_compiled;
    // Does not wait. Any thread may call it.
    std::function<Readiness()> readiness;
    std::size_t rules = 0;  // of the system

    // Bytes of the interpreting engine while the compiler works. If they do not suffice, the run waits for the compiled
    // engine, which needs less.
    std::uint64_t interpreted_memory = std::uint64_t{256} << 20;
    // Seconds after which it only waits, because with one core it slows the compiler down.
    double interpreted_seconds = std::numeric_limits<double>::infinity();
    // An input with a larger id waits for the compiled engine, because loading it twice takes long.
    TermId largest_interpreted = TermId{1} << 18;
    // Terms that outlive the engine, so that an input in them needs no copy.
    Terms const* lasting = nullptr;
};

std::unique_ptr<Engine> make_first_use_engine(FirstUse const& first_use);

}  // namespace lockstep::term_rewriting
