#pragma once
// Runs of one engine of generated C++, one after the other: an earlier run may still stop when the next one begins.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {

// Two endless loops that allocate nothing. A worker that nobody asks says nothing, and one loop always waits.
inline System endless_pair() {
    System system = parse_text(
        "sort L = A() | B() | Turn(L) | Pair(L, L); var X : L; eqn Turn(A()) = Turn(B()); Turn(B()) = Turn(A());\n");
    system.inputs.push_back(parse_term(system, "Pair(Turn(A), Turn(A))", "term"));
    return system;
}

// Requests a stop in the engine's watch once `is_time` says so. The counts are unknown if the run stops in the
// background. The next use of the engine waits for its workers.
inline void expect_stops(Engine& engine, System const& endless, std::function<bool()> const& is_time) {
    for (bool const in_background : {true, false, true}) {
        engine.load(endless.terms, endless.inputs[0]);
        std::stop_source stop;
        Limits limits = test_limits();
        limits.stop = stop.get_token();
        limits.stops_in_background = in_background;
        limits.watch = [&] {
            if (is_time())
                stop.request_stop();
        };
        Outcome const outcome = engine.run(limits);
        EXPECT_EQ(outcome.end, End::stopped);
        EXPECT_EQ(outcome.rewrites() == 0, in_background);
        engine.prepare();
        EXPECT_FALSE(engine.is_busy());
    }
}

// Runs several engines, every second one with its threads ready, so many times each, without a pause.
inline void expect_all_counts(System const& system, unsigned runs,
                              std::function<std::unique_ptr<Engine>()> const& make) {
    std::unique_ptr<Engine> const one = make_compiled_engine(system, 1);
    one->load(system.terms, system.inputs[0]);
    std::vector<std::uint64_t> const expected = one->run(test_limits()).applications;
    for (unsigned engines = 0; engines < (sanitized ? 2 : 10); ++engines) {
        std::unique_ptr<Engine> const engine = make();
        engine->load(system.terms, system.inputs[0]);
        if (engines % 2 == 1)
            engine->make_ready(test_limits());
        for (unsigned run = 0; run < runs; ++run) {
            Outcome const outcome = engine->run(test_limits());
            ASSERT_EQ(outcome.end, End::finished);
            ASSERT_EQ(outcome.applications, expected);
        }
    }
}

}  // namespace lockstep::term_rewriting
