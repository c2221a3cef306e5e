#pragma once
// Checks of the rewriter in passes that hold on every machine: the emulator's tests and those on a GPU run the same.

#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {

// Normal form and applications of every rule are the oracle's.
inline void expect_the_oracles(System const& system, Terms const& terms, TermId input, Device& device,
                               as_printed::Options const& options, std::string const& what) {
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, terms, input);
    as_printed::TopologyEngine engine(system, device, options);
    Ran const ran = run_engine(engine, terms, input);
    ASSERT_EQ(ran.outcome.end, End::finished) << what;
    EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << what;
    EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form)) << what;
}

}  // namespace lockstep::term_rewriting
