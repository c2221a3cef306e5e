// Kernels in a weak memory: what they need fences for fails without them, and never with them.

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/simt/emulator/options.hpp"
#include "harness/simt/error.hpp"
#include "harness/simt/hooks/checks.hpp"
#include "tests/harness/simt/hooks/cases.hpp"
#include "tests/harness/simt/weak_memory/kernels.hpp"
#include "tests/harness/simt/weak_memory/litmus_tests.hpp"

namespace lockstep::weak_memory_tests {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;
using simt::hooks::Checks;

Options weak(std::uint64_t seed) {
    Options options{seed % 2 == 0 ? LaneOrder::random : LaneOrder::unfair, seed, 1, 20};
    options.weak_memory = true;
    return options;
}

// Without reports: what is wrong shows in the results.
simt::hooks::Settings silent() { return {false, false}; }

template <class Run>
unsigned failures(unsigned seeds, unsigned right, Run const& run) {
    unsigned failed = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        ScopedOptions const scope(weak(seed));
        Checks const checks(silent());
        failed += run() != right ? 1 : 0;
    }
    return failed;
}

TEST(WeakMemory, litmus_tests_as_kernels) {
    constexpr unsigned seeds = 400;
    for (litmus::Litmus const& test : litmus::litmus_tests()) {
        for (litmus::Place const place : {litmus::Place::warp, litmus::Place::block, litmus::Place::grid}) {
            litmus::Program const program = litmus::program(test.codes, place);
            litmus::Outcomes const possible = litmus::machine_outcomes(program, 4);
            for (bool const shared : {false, true}) {
                if (shared && place == litmus::Place::grid) {
                    continue;
                }
                bool seen = false;
                for (std::uint64_t seed = 0; seed < seeds && !(seen && seed >= 20); ++seed) {
                    ScopedOptions const scope(weak(seed));
                    Checks const checks(silent());
                    std::string const outcome = run_litmus(program, shared, static_cast<unsigned>(seed));
                    ASSERT_EQ(possible.count(outcome), 1) << test.name << ": " << outcome << ", seed " << seed;
                    seen = seen || outcome == test.outcome;
                }
                EXPECT_EQ(seen, test.allowed) << test.name << (shared ? ", shared memory" : ", global memory");
            }
        }
    }
}

TEST(WeakMemory, a_strong_memory_shows_no_weak_outcome) {
    litmus::Litmus const& passing = litmus::litmus_tests().front();
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Options options = weak(seed);
        options.weak_memory = false;
        ScopedOptions const scope(options);
        Checks const checks(silent());
        EXPECT_NE(run_litmus(litmus::program(passing.codes), false, static_cast<unsigned>(seed)), passing.outcome);
    }
}

TEST(WeakMemory, the_last_block_needs_its_fence) {
    auto const run = [](Fences fences) { return [=] { return last_block_sum(16, fences); }; };
    EXPECT_EQ(failures(100, right_sum(16), run(Fences::both)), 0);
    EXPECT_EQ(failures(100, right_sum(16), run(Fences::only_writer)), 0);
    EXPECT_GE(failures(8, right_sum(16), run(Fences::none)), 4);
    EXPECT_GE(failures(8, right_sum(16), run(Fences::of_block)), 4);
}

TEST(WeakMemory, a_lock_needs_both_fences) {
    auto const run = [](Fences fences) { return [=] { return locked_count(4, 4, fences); }; };
    EXPECT_EQ(failures(100, 16, run(Fences::both)), 0);
    for (Fences const fences : {Fences::only_writer, Fences::only_reader, Fences::of_block, Fences::none}) {
        EXPECT_GE(failures(8, 16, run(fences)), 4) << static_cast<int>(fences);
    }
}

TEST(WeakMemory, a_seed_repeats_the_run) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        ScopedOptions const scope(weak(seed));
        unsigned first = 0;
        for (int run = 0; run < 2; ++run) {
            Checks const checks(silent());
            unsigned const total = last_block_sum(16, Fences::none);
            EXPECT_TRUE(run == 0 || total == first) << seed;
            first = total;
        }
    }
}

TEST(WeakMemory, an_atomic_of_block_scope_between_blocks_is_reported) {
    ScopedOptions const scope(weak(1));
    Checks const checks;
    message_of_block_scope();
    auto const& reports = checks.reports();
    auto const is_scope = [](simt::hooks::Report const& report) {
        return report.problem == simt::hooks::Problem::insufficient_scope;
    };
    auto const found = std::find_if(reports.begin(), reports.end(), is_scope);
    ASSERT_NE(found, reports.end());
    EXPECT_NE(found->text().find("insufficient scope (an access of block scope after a store of block scope by block "
                                 "(0,0,0), thread (0,0,0)"),
              std::string::npos)
        << found->text();
    EXPECT_EQ(found->where.block.x, 1u);
    EXPECT_NE(found->where.at.line, 0u);
}

TEST(WeakMemory, a_lane_sees_its_own_copies) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        ScopedOptions const scope(weak(seed));
        Checks const checks(silent());
        EXPECT_EQ(wrong_copies(), 0u) << seed;
    }
}

TEST(WeakMemory, right_kernels_run_and_are_not_reported) {
    for (hook_tests::emulator::Case const& right : hook_tests::emulator::right_kernels()) {
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            ScopedOptions const scope(weak(seed));
            Checks const checks;
            right.launch();
            for (simt::hooks::Report const& report : checks.reports()) {
                FAIL() << right.name << ", seed " << seed << ": " << report.text();
            }
        }
    }
}

TEST(WeakMemory, is_refused_without_checks) {
    ScopedOptions const scope(weak(0));
    try {
        last_block_sum(2, Fences::both);
        FAIL();
    } catch (simt::Error const& error) {
        EXPECT_STREQ(
            error.what(),
            "cannot run kernel 'sum_by_last_block' with weak memory (it is built without access checks, which see "
            "the accesses) build it with them");
    }
}

}  // namespace
}  // namespace lockstep::weak_memory_tests
