#pragma once
// What the tests of the rewriter in passes share: the tested machine, systems with terms that it finishes in time, and
// the comparison with the oracle.

#include <map>

#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/small_terms.hpp"

namespace lockstep::term_rewriting {

using as_printed::Options;
using as_printed::Order;
using as_printed::TopologyEngine;

inline bool on_gpu() { return lockstep::tests::kernel_machine() == simt::Machine::cuda; }

// The emulator visits every term in every pass, and compute-sanitizer takes long for each of a hundred thousand
// launches.
inline bool at_full_size() { return on_gpu() && !lockstep::tests::under_compute_sanitizer(); }

inline System read(std::string const& file) { return read_system(file, !at_full_size()); }

inline jit::Device& device() { return jit::device_of(lockstep::tests::kernel_machine()); }

// Normal forms, their digests and the applications of every rule equal the oracle's.
inline void expect_the_oracles(System const& system, Options const& options, std::string const& what) {
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    TopologyEngine engine(system, device(), options);
    for (TermId const input : system.inputs) {
        Ran const expected = run_engine(*oracle, system.terms, input);
        if (expected.outcome.end != End::finished)
            continue;
        Ran const ran = run_engine(engine, system.terms, input);
        ASSERT_EQ(ran.outcome.end, End::finished) << what;
        EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << what << ": " << to_string(system, input);
        EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form))
            << what << ": " << to_string(system, input);
        EXPECT_EQ(engine.normal_form_digest(), digest_of(expected.terms, expected.normal_form)) << what;
    }
}

inline std::map<std::string, Options> const variations = {
    {"as_printed", {}},
    {"no_collection", {.collects = false}},
    {"no_shortcut", {.shortcut = false}},
    {"decision_trees", {.decision_trees = true}},
    {"net_references", {.net_references = true}},
    {"aggregated", {.aggregates = true}},
    {"takes_together", {.takes_together = true}},
    {"unrolled", {.steps_per_pass = 3}},
    {"unrolled_without_collection", {.collects = false, .steps_per_pass = 8}},
    {"binned", {.order = Order::binned}},
    {"worklist", {.order = Order::worklist}},
    {"counted", {.counts_traffic = true, .traces = true}},
};

class Topology : public testing::Test {
protected:
    void SetUp() override {
        if (std::string const reason = lockstep::tests::why_not_here(); !reason.empty())
            GTEST_SKIP() << reason;
    }
};

}  // namespace lockstep::term_rewriting
