// Who takes part in a run of generated C++: workers join while it goes on, and only if there is work for them.

#include <chrono>
#include <stop_token>
#include <utility>
#include <vector>

#include "experiments/term_rewriting/named_workload.hpp"
#include "harness/threads/spin.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/repeated_runs.hpp"

namespace lockstep::term_rewriting {
namespace {

constexpr std::size_t four_workers = 4;
// Long enough for a busy machine to wake the thread that lets workers join.
constexpr char const* long_and_wide = sanitized ? "@binary_fibonacci,depth=28" : "@binary_fibonacci,depth=31";

std::size_t workers_for(Engine& engine, System const& system) {
    EXPECT_EQ(run_engine(engine, system.terms, system.inputs[0]).outcome.end, End::finished);
    return workers_of_last_run(engine);
}

// The term has tasks, but few rewrites.
TEST(Joining, AShortTermStartsOneThread) {
    System const system = named_workload("@binary_fibonacci,depth=10");
    std::unique_ptr<Engine> const engine = make_compiled_engine(system, four_workers);
    EXPECT_EQ(workers_for(*engine, system), 1u);
}

// However long it takes, nothing waits.
TEST(Joining, ASequentialTermStartsOneThread) {
    System const system = named_workload(sanitized ? "@count,elements=10000" : "@count,elements=500000");
    std::unique_ptr<Engine> const engine = make_compiled_engine(system, four_workers);
    EXPECT_EQ(workers_for(*engine, system), 1u);
    EXPECT_EQ(engine->peak_waiting(), 0u);
}

TEST(Joining, WorkersJoinALongTermWithWaitingTasks) {
    System const system = named_workload(long_and_wide);
    std::unique_ptr<Engine> const one = make_compiled_engine(system, 1);
    std::unique_ptr<Engine> const engine = make_compiled_engine(system, four_workers);
    Ran const alone = run_engine(*one, system.terms, system.inputs[0]);
    EXPECT_EQ(one->peak_waiting(), std::nullopt) << "it has no tasks";
    for (unsigned run = 0; run < 3; ++run) {  // the later runs have the threads of the first one
        Ran const ran = run_engine(*engine, system.terms, system.inputs[0]);
        EXPECT_EQ(workers_of_last_run(*engine), four_workers);
        EXPECT_GE(engine->peak_waiting(), 1u);
        EXPECT_EQ(ran.outcome.applications, alone.outcome.applications);
        EXPECT_EQ(digest_of(ran.terms, ran.normal_form), digest_of(alone.terms, alone.normal_form));
    }
    System const small = named_workload("@binary_fibonacci,depth=10");
    engine->load(small.terms, small.inputs[0]);
    EXPECT_EQ(engine->run(test_limits()).end, End::finished);
    EXPECT_EQ(workers_of_last_run(*engine), 1u) << "each run decides anew";
}

// For timed runs, threads exist before the clock starts.
TEST(Joining, MakeReadyStartsAllThreads) {
    System const system = parse_system(systems_folder + "binary_fibonacci.trs", bench::read_file);
    std::unique_ptr<Engine> const engine = make_compiled_engine(system, four_workers);
    engine->load(system.terms, system.inputs[0]);
    engine->make_ready(test_limits());
    EXPECT_EQ(engine->run(test_limits()).end, End::finished);
    EXPECT_EQ(workers_of_last_run(*engine), four_workers);
}

// The engine of `auto` begins every run with one worker, also a timed one, in which the threads of the others wait. The
// term is long enough that those begin even on a busy machine.
TEST(Joining, TheEngineOfAutoBeginsWithOneWorker) {
    if (threads::is_on_one_cpu())
        GTEST_SKIP() << "on one CPU, nobody waits for a short term";
    System const wide = named_workload(sanitized ? "@binary_fibonacci,depth=30" : "@binary_fibonacci,depth=34");
    ComingEngine const coming = begin_compiled_engine(wide, four_workers);
    std::unique_ptr<Engine> const engine = coming.make();
    System const small = named_workload("@binary_fibonacci,depth=2");
    unsigned calls = 0;
    Limits limits = test_limits();
    limits.watch = [&calls] { ++calls; };
    EXPECT_TRUE(engine->calls_watch());
    engine->load(wide.terms, wide.inputs[0]);
    engine->make_ready(limits);
    engine->prepare();
    EXPECT_EQ(engine->run(limits).end, End::finished);
    EXPECT_EQ(workers_of_last_run(*engine), four_workers);
    EXPECT_GE(calls, 1u);
    engine->load(small.terms, small.inputs[0]);
    unsigned alone = 0;
    for (unsigned run = 0; run < 100; ++run) {
        engine->prepare();
        EXPECT_EQ(engine->run(limits).end, End::finished);
        alone += workers_of_last_run(*engine) == 1 ? 1 : 0;
    }
    EXPECT_GE(alone, 1u) << "on a busy machine, a run may take long without a core";
}

// A GPU begins at the first look after its head start that knows of a waiting subterm.
TEST(Joining, TheFirstLookKnowsWhatWaits) {
    System const system = endless_pair();
    std::unique_ptr<Engine> const engine = make_compiled_engine(system, four_workers);
    engine->load(system.terms, system.inputs[0]);
    bool known = false;
    // Not in every run: a worker that has no core at that moment does not answer.
    for (unsigned run = 0; run < 200 && !known; ++run) {
        std::stop_source stop;
        Limits limits = test_limits();
        limits.stop = stop.get_token();
        bool is_first = true;
        limits.watch = [&] {
            if (std::exchange(is_first, false))
                known = engine->peak_waiting() == 1u;
            stop.request_stop();
        };
        EXPECT_EQ(engine->run(limits).end, End::stopped);
    }
    EXPECT_TRUE(known);
}

TEST(Joining, AStopInTheBackgroundLeavesTheEngineUsable) {
    System const endless = endless_pair();
    std::unique_ptr<Engine> const engine = make_compiled_engine(endless, four_workers);
    expect_stops(*engine, endless, [&] { return workers_of_last_run(*engine) == four_workers; });
}

// A run returns with its result while other workers still stop. The next run, and the destructor, wait for them.
TEST(Joining, AFinishedRunHasAllCountsAndLeavesTheEngineUsable) {
    System const system = named_workload("@binary_fibonacci,depth=16");
    expect_all_counts(system, sanitized ? 10 : 100, [&] { return make_compiled_engine(system, four_workers); });
}

// Many threads take long to wake, and a short run would end before they have done anything.
TEST(Joining, WorkersJoinAfterTheWatchAndNotInAShortRun) {
    System const system = endless_pair();
    std::unique_ptr<Engine> const engine = make_compiled_engine(system, four_workers);
    engine->load(system.terms, system.inputs[0]);
    for (unsigned run = 0; run < 3; ++run) {
        std::stop_source stop;
        Limits limits = test_limits();
        limits.stop = stop.get_token();
        bool saw_waiting = false;
        auto const start = std::chrono::steady_clock::now();
        limits.watch = [&] {
            std::size_t const workers = workers_of_last_run(*engine);
            EXPECT_TRUE(saw_waiting || workers == 1);
            saw_waiting = saw_waiting || engine->peak_waiting() == 1u;
            if (workers == 1)
                return;
            // The threads of the first run have to be made.
            EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds(run == 0 ? 200 : 20));
            stop.request_stop();
        };
        EXPECT_EQ(engine->run(limits).end, End::stopped);
        EXPECT_EQ(workers_of_last_run(*engine), four_workers);
    }
}

// A limit, or a request, ends a run in which workers may be joining.
TEST(Joining, LimitsHoldWhileWorkersJoin) {
    System const system = named_workload("@binary_fibonacci,depth=36");
    std::unique_ptr<Engine> const engine = make_compiled_engine(system, four_workers);
    engine->load(system.terms, system.inputs[0]);
    for (double const seconds : {0.0001, 0.0003, 0.001, 0.003}) {
        Limits limits = test_limits();
        limits.seconds = seconds;
        EXPECT_EQ(engine->run(limits).end, End::out_of_time);
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
