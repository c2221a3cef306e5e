// Generated C++ for one worker against generated C++ for many, on the same input.

#include <chrono>
#include <stop_token>
#include <thread>

#include "baselines/term_rewriting/compiled/program_race.hpp"
#include "experiments/term_rewriting/named_workload.hpp"
#include "harness/threads/spin.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/repeated_runs.hpp"

namespace lockstep::term_rewriting {
namespace {

constexpr std::size_t race_workers = 4;
constexpr char const* wide_workload = sanitized ? "@binary_fibonacci,depth=24" : "@binary_fibonacci,depth=31";
constexpr char const* sequential_workload = sanitized ? "@langtons_ant,elements=200" : "@langtons_ant,elements=5000";
constexpr char const* long_workload = sanitized ? "@binary_fibonacci,depth=28" : "@binary_fibonacci,depth=31";
constexpr char const* short_workload = "@binary_fibonacci,depth=2";

std::unique_ptr<Engine> racing(System const& system) { return begin_compiled_engine(system, race_workers).make(); }

// Each run has the counts and the normal form of the program for one worker, whichever program wins. The first run
// makes the parallel program's runtime while the sequential one works, and the others find its threads.
TEST(ProgramRace, EveryRunHasTheCountsAndTheNormalFormOfOneWorker) {
    for (char const* const workload :
         {wide_workload, sequential_workload, short_workload, "@mapped_list_of_lists,depth=8",
          "@tree_merge_sort,depth=8", "@queens,elements=6", "@sieve,elements=50"}) {
        System const system = named_workload(workload);
        std::unique_ptr<Engine> const one = make_compiled_engine(system, 1);
        Ran const expected = run_engine(*one, system.terms, system.inputs[0]);
        std::uint64_t const digest = digest_of(expected.terms, expected.normal_form);
        std::unique_ptr<Engine> const engine = racing(system);
        for (unsigned run = 0; run < (sanitized ? 4 : 12); ++run) {
            engine->load(system.terms, system.inputs[0]);
            if (run % 3 == 1)
                engine->make_ready(test_limits());
            engine->prepare();
            Outcome const outcome = engine->run(test_limits());
            ASSERT_EQ(outcome.end, End::finished) << workload;
            EXPECT_EQ(outcome.applications, expected.outcome.applications) << workload;
            EXPECT_GT(outcome.seconds, 0);
            if (run % 2 == 0) {
                EXPECT_EQ(engine->normal_form_digest(), digest) << workload << ": " << engine->found_by();
            } else {
                Terms terms;
                TermId const normal_form = engine->normal_form(terms);
                EXPECT_EQ(digest_of(terms, normal_form), digest) << workload << ": " << engine->found_by();
            }
        }
    }
}

// A short term does not use the parallel program, although its threads wait. On a busy machine, some runs take long.
TEST(ProgramRace, AShortTermUsesOneProgram) {
    if (threads::is_on_one_cpu())
        GTEST_SKIP() << "on one CPU, nobody waits for a short term";
    System const system = named_workload(short_workload);
    std::unique_ptr<Engine> const engine = racing(system);
    unsigned alone = 0;
    engine->load(system.terms, system.inputs[0]);
    engine->make_ready(test_limits());
    for (unsigned run = 0; run < 100; ++run) {
        engine->prepare();
        EXPECT_EQ(engine->run(test_limits()).end, End::finished);
        alone += engine->found_by().empty() ? 1 : 0;
    }
    EXPECT_GE(alone, 1u);
}

// Both programs go on forever: each reaches the limits, and a request stops both.
TEST(ProgramRace, LimitsEndBothPrograms) {
    System const system = endless_pair();
    std::unique_ptr<Engine> const engine = racing(system);
    engine->load(system.terms, system.inputs[0]);
    for (bool const is_ready : {false, true}) {
        if (is_ready)
            engine->make_ready(test_limits());
        Limits in_time = test_limits();
        in_time.seconds = 0.02;
        EXPECT_EQ(engine->run(in_time).end, End::out_of_time);
        engine->prepare();
        EXPECT_FALSE(engine->is_busy());

        Limits of_rewrites = test_limits();
        of_rewrites.rewrites = 100000;
        Outcome const counted = engine->run(of_rewrites);
        EXPECT_EQ(counted.end, End::too_many_rewrites);
        EXPECT_GT(counted.rewrites(), of_rewrites.rewrites);

        Limits after_rule = test_limits();
        after_rule.stop_after = {1};
        Outcome const stopped = engine->run(after_rule);
        EXPECT_EQ(stopped.end, End::stopped);
        EXPECT_GT(stopped.applications[1], 0u);
    }
}

TEST(ProgramRace, ARequestStopsBothPrograms) {
    System const endless = endless_pair();
    std::unique_ptr<Engine> const engine = racing(endless);
    unsigned calls = 0;
    expect_stops(*engine, endless, [&] { return ++calls % 3 == 0 && !engine->found_by().empty(); });
}

// A request of another thread, as at the end of a GPU's run, may come at any moment. It stops both programs: the next
// use of the engine waits for them, and neither allocates nor ends by itself.
TEST(ProgramRace, ARequestAtAnyMomentStopsBothPrograms) {
    System const system = endless_pair();
    std::unique_ptr<Engine> const engine = racing(system);
    engine->load(system.terms, system.inputs[0]);
    engine->make_ready(test_limits());
    for (unsigned run = 0; run < (sanitized ? 50 : 500); ++run) {
        std::stop_source stop;
        Limits limits = test_limits();
        limits.stop = stop.get_token();
        limits.stops_in_background = run % 4 != 0;
        engine->prepare();
        std::jthread const other([&stop, run] {
            std::this_thread::sleep_for(std::chrono::microseconds(run % 50));
            stop.request_stop();
        });
        EXPECT_EQ(engine->run(limits).end, End::stopped);
    }
    engine->prepare();
    EXPECT_FALSE(engine->is_busy());
}

compiled::Progress having_done(std::uint64_t rewrites, std::size_t memory, bool answered = true) {
    compiled::Progress progress;
    progress.rewrites = rewrites;
    progress.memory = memory;
    progress.answered = answered;
    return progress;
}

// The sequential program gives way if it is far behind, and either one if both need too much memory.
TEST(ProgramRace, OneProgramGivesWay) {
    using compiled::GivesWay;
    constexpr std::size_t limit = 100;
    auto const given = [](compiled::Progress const& sequential, compiled::Progress const& parallel) {
        return compiled::who_gives_way(sequential, parallel, limit);
    };
    EXPECT_EQ(given(having_done(10, 50), having_done(20, 50)), GivesWay::nobody);
    EXPECT_EQ(given(having_done(10, 50), having_done(21, 50)), GivesWay::sequential);
    EXPECT_EQ(given(having_done(10, 50, false), having_done(21, 50)), GivesWay::nobody);
    EXPECT_EQ(given(having_done(1000, 50), having_done(10, 50)), GivesWay::nobody);
    EXPECT_EQ(given(having_done(10, 50), having_done(11, 51)), GivesWay::sequential);
    EXPECT_EQ(given(having_done(10, 50, false), having_done(11, 51)), GivesWay::sequential);
    EXPECT_EQ(given(having_done(11, 50), having_done(11, 51)), GivesWay::parallel);
}

// The least memory, in steps of an eighth, with which both programs finish alone.
std::uint64_t memory_for_either_program(System const& system) {
    Limits limits = test_limits();
    limits.memory = std::uint64_t{8} << 20;
    for (std::size_t const workers : {std::size_t{1}, race_workers}) {
        std::unique_ptr<Engine> const engine = make_compiled_engine(system, workers);
        engine->load(system.terms, system.inputs[0]);
        while (engine->run(limits).end != End::finished)
            limits.memory += limits.memory / 8;
    }
    return limits.memory;
}

TEST(ProgramRace, TheMemoryThatOneProgramNeedsIsEnough) {
    System const system = named_workload(sanitized ? "@transformation_tree,depth=16" : "@transformation_tree,depth=20");
    Limits limits = test_limits();
    limits.memory = memory_for_either_program(system) * 5 / 4;
    std::unique_ptr<Engine> const one = make_compiled_engine(system, 1);
    Outcome const alone = run_engine(*one, system.terms, system.inputs[0], limits).outcome;
    ASSERT_EQ(alone.end, End::finished);
    std::unique_ptr<Engine> const engine = racing(system);
    engine->load(system.terms, system.inputs[0]);
    for (unsigned run = 0; run < 3; ++run) {
        engine->make_ready(limits);
        Outcome const outcome = engine->run(limits);
        ASSERT_EQ(outcome.end, End::finished) << engine->found_by();
        EXPECT_EQ(outcome.applications, alone.applications);
    }
    limits.memory = std::uint64_t{1} << 20;
    EXPECT_EQ(engine->run(limits).end, End::out_of_memory);
}

// The sequential program stays the same when the memory changes, also after the other one has won.
TEST(ProgramRace, ANewLimitOfMemoryKeepsBothPrograms) {
    System const system = named_workload(long_workload);
    std::unique_ptr<Engine> const one = make_compiled_engine(system, 1);
    Ran const expected = run_engine(*one, system.terms, system.inputs[0]);
    std::unique_ptr<Engine> const engine = racing(system);
    for (unsigned run = 0; run < 4; ++run) {
        Limits limits = test_limits();
        limits.memory += run << 20;
        engine->load(system.terms, system.inputs[0]);
        ASSERT_EQ(engine->run(limits).end, End::finished);
        Terms terms;
        TermId const normal_form = engine->normal_form(terms);
        EXPECT_EQ(digest_of(terms, normal_form), digest_of(expected.terms, expected.normal_form));
    }
}

// Runs follow one another without a pause, so the loser of one is often still at work when the next one begins.
TEST(ProgramRace, ManyRunsInARowHaveAllCounts) {
    System const system = named_workload("@binary_fibonacci,depth=14");
    expect_all_counts(system, sanitized ? 20 : 200, [&] { return racing(system); });
}

// With few cores, the sequential program would take too many of them from the parallel one.
TEST(ProgramRace, WithFewWorkersThereIsOneProgram) {
    System const system = named_workload(long_workload);
    std::unique_ptr<Engine> const engine = begin_compiled_engine(system, 2).make();
    EXPECT_EQ(run_engine(*engine, system.terms, system.inputs[0]).outcome.end, End::finished);
    EXPECT_EQ(workers_of_last_run(*engine), 2u);
    EXPECT_EQ(engine->found_by(), "");
}

}  // namespace
}  // namespace lockstep::term_rewriting
