#pragma once
// What the tests of the rewriter in passes share: the tested machine, systems with terms that it finishes in time, and
// the comparison with the oracle.

#include <cstdlib>
#include <map>

#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {

using as_printed::Options;
using as_printed::Order;
using as_printed::TopologyEngine;

inline bool on_gpu() { return lockstep::tests::kernel_machine() == simt::Machine::cuda; }

// The emulator visits every term in every pass, so systems with long runs get a smaller input there.
inline std::string small_term(std::string const& file) {
    static std::map<std::string, std::string> const terms = {
        {"ackermann.trs", "Ack(S(S(Zero())), S(S(Zero())))"},
        {"binary_arithmetic.trs", "Squares(More(More(None())), TwicePlus(One()))"},
        {"collatz.rec", "steps(s(s(s(s(s(zero))))))"},
        {"deep_spine.trs", "Parity(Half(Twice(S(S(S(S(S(Zero()))))))))"},
        {"merge_sort_50.trs", "Sort(Cons(S(Zero()), Cons(Zero(), Nil())))"},
        {"tree_fold.trs", "Leaves(Mirror(Grow(S(S(S(Zero()))))))"},
    };
    auto const found = terms.find(file);
    // A hundred thousand launches also take long under compute-sanitizer.
    bool const at_full_size = on_gpu() && std::getenv("LOCKSTEP_COMPUTE_SANITIZER") == nullptr;
    return found == terms.end() || at_full_size ? "" : found->second;
}

inline System read(std::string const& file) {
    System system = parse_system(systems_folder + file, bench::read_file);
    if (std::string const term = small_term(file); !term.empty())
        system.inputs.assign(1, parse_term(system, term, "small term"));
    return system;
}

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
