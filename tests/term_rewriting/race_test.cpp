// Two engines on one term: the first to finish wins, regardless of the state of the other. Engines stop on request.
// Linked with the second machine.

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "harness/simt/devices.hpp"
#include "harness/simt/error.hpp"
#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "kernels/term_rewriting/race/auto_engine.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/fast_options.hpp"
#include "tests/term_rewriting/races.hpp"

namespace lockstep::term_rewriting {
namespace {

// Not forever, so that a defect fails and does not hang.
void wait_for(std::atomic<bool> const& flag) {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!flag && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
}

TEST_F(Races, AShortTermDoesNotUseTheSecondEngine) {
    Race alone(immediately(End::finished), throws, {});
    EXPECT_EQ(alone.engine->run({}).end, End::finished);
    EXPECT_EQ(alone.second.made, 0u);
    EXPECT_EQ(alone.engine->found_by(), "first alone");

    Race ahead(immediately(End::finished), throws, {.head_start = 60, .alone = 0});
    EXPECT_EQ(ahead.engine->run({}).end, End::finished);
    EXPECT_EQ(ahead.second.runs, 0u);
    EXPECT_EQ(ahead.found(), of_first);
    EXPECT_EQ(ahead.engine->metrics().at("second_began"), 0);
}

// A request to a GPU takes longer than a short term.
TEST_F(Races, AResultDoesNotWaitForTheRequestToStop) {
    std::promise<void> result;
    std::future<void> const has_result = result.get_future();
    std::atomic<bool> in_time = false, asked = false, begun = false;
    auto const slow_to_ask = [&](Limits const& limits) {
        std::stop_callback const on_stop(limits.stop, [&] {
            in_time = has_result.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
            asked = true;
        });
        begun = true;
        wait_for(asked);
        return ended(End::stopped);
    };
    auto const finishes_later = [&](Limits const&) {
        wait_for(begun);
        return ended(End::finished);
    };
    Race race(finishes_later, slow_to_ask, together);
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    result.set_value();
    race.engine.reset();
    EXPECT_TRUE(in_time);
}

// By a rule without a result, after which the second engine would go on for ever.
TEST_F(Races, ARunThatTheFirstEngineStoppedWaitsForNobody) {
    Race race(immediately(End::stopped), until_stopped, together);
    EXPECT_EQ(race.engine->run({}).end, End::stopped);
    race.engine.reset();
    EXPECT_EQ(race.second.stopped, race.second.runs);
}

TEST_F(Races, TheFirstToFinishWinsAndTheOtherIsStopped) {
    for (bool const second_wins : {false, true}) {
        Race race(second_wins ? until_stopped : immediately(End::finished, 7),
                  second_wins ? immediately(End::finished, 8) : until_stopped, together);
        for (unsigned run = 1; run <= 3; ++run) {
            Outcome const outcome = race.engine->run({});
            EXPECT_EQ(outcome.end, End::finished);
            EXPECT_EQ(outcome.rewrites(), second_wins ? 8u : 7u);
            EXPECT_EQ(race.found(), second_wins ? of_second : of_first);
            EXPECT_EQ(race.engine->metrics().at("second_won"), second_wins ? 1 : 0);
        }
        PlantedEngine::Asked& loser = second_wins ? race.first : race.second;
        race.engine.reset();
        EXPECT_EQ(loser.stopped, loser.runs) << "including the last one";
        EXPECT_EQ(race.first.runs, 3u);
    }
}

// Section 1 of the paper: the number of subterms that can be rewritten decides, while the term is rewritten.
TEST_F(Races, ATermWithoutWaitingSubtermsDoesNotUseTheSecondEngine) {
    auto const finishes_later = [](Limits const&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        return ended(End::finished);
    };
    Race sequential(finishes_later, throws, {.alone = 0.001});
    sequential.first.waiting = 0;
    EXPECT_EQ(sequential.engine->run({}).end, End::finished);
    EXPECT_EQ(sequential.second.made, 0u);
    EXPECT_EQ(sequential.engine->found_by(), "first alone");

    Race few(finishes_later, throws, {.alone = 0.001, .min_waiting = 5});
    few.first.waiting = 4;
    EXPECT_EQ(few.engine->run({}).end, End::finished);
    EXPECT_EQ(few.second.made, 0u);
}

// A first engine that has to compile first has its time alone after that.
TEST_F(Races, TheTimeAloneBeginsWhenSubtermsWait) {
    static constexpr std::chrono::milliseconds alone(1500);
    std::atomic<int>* waiting = nullptr;
    auto const widens_late = [&waiting](Limits const&) {
        std::this_thread::sleep_for(alone + std::chrono::milliseconds(50));
        *waiting = 1;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // some looks at what waits
        return ended(End::finished);
    };
    Race race(widens_late, throws, {.alone = std::chrono::duration<double>(alone).count()});
    waiting = &race.first.waiting;
    race.first.waiting = 0;
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    EXPECT_EQ(race.second.made, 0u);
}

TEST_F(Races, TheSecondEngineJoinsWhenSubtermsWait) {
    std::atomic<int>* waiting = nullptr;
    auto const widens = [&waiting](Limits const& limits) {
        *waiting = 3;
        return until_stopped(limits);
    };
    Race race(widens, immediately(End::finished), {.alone = 0.001, .min_waiting = 3});
    waiting = &race.first.waiting;
    race.first.waiting = 0;
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    EXPECT_EQ(race.found(), of_second);
    EXPECT_EQ(race.second.made, 1u);
}

// It begins before the first engine could look at what waits.
TEST_F(Races, ManyTermsBeginOnBothEngines) {
    for (bool const many : {false, true}) {
        std::atomic<bool> has_begun = false;
        auto const second = [&has_begun](Limits const& limits) {
            has_begun = true;
            return until_stopped(limits);
        };
        auto const first = [&has_begun, many](Limits const&) {
            if (many)
                wait_for(has_begun);
            else
                std::this_thread::sleep_for(std::chrono::milliseconds(5));  // enough for a second engine to begin
            return ended(End::finished);
        };
        Race race(first, second, {.alone = 0, .many_terms = 100});
        race.first.watches = true;
        race.second.terms = many ? 100 : 99;
        EXPECT_EQ(race.engine->run({}).end, End::finished);
        race.engine->prepare();
        EXPECT_EQ(race.second.runs, many ? 1u : 0u);
        EXPECT_EQ(has_begun, many);
    }
}

// After a run that was decided, the first engine may still stop.
TEST_F(Races, TheRaceIsBusyWhileAnEngineIs) {
    Race race(immediately(End::finished), throws, {.head_start = 60, .alone = 0});
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    race.engine->prepare();
    EXPECT_FALSE(race.engine->is_busy());
    race.first.busy = true;
    EXPECT_TRUE(race.engine->is_busy());
}

// An engine that calls back runs on the thread of the caller, and nothing else begins while nothing waits.
TEST_F(Races, TheFirstEngineRunsOnTheCallingThread) {
    std::thread::id const here = std::this_thread::get_id();
    std::atomic<unsigned> calls = 0;
    auto const sequential = [&](Limits const& limits) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        for (; calls < 3; ++calls)
            limits.watch();
        return ended(End::finished);
    };
    Race race(sequential, throws, together);
    race.first.watches = true;
    race.first.waiting = 0;
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    EXPECT_EQ(calls, 3u);
    EXPECT_EQ(race.second.runs, 0u);
    EXPECT_EQ(race.engine->found_by(), "first alone");

    Race ahead([&](Limits const& limits) { return limits.watch(), ended(End::finished); }, throws,
               {.head_start = 60, .alone = 0});
    ahead.first.watches = true;
    ahead.first.waiting = 1000;
    EXPECT_EQ(ahead.engine->run({}).end, End::finished);
    EXPECT_EQ(ahead.second.runs, 0u) << "its head start is not over";
}

TEST_F(Races, TheSecondEngineBeginsBesideTheFirstWhenSubtermsWait) {
    for (bool const second_wins : {false, true}) {
        PlantedEngine::Asked* first = nullptr;
        PlantedEngine::Asked* second = nullptr;
        auto const widens = [&](Limits const& limits) {
            limits.watch();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a second engine would have begun by then
            EXPECT_EQ(second->runs, 0u) << "nothing waits yet";
            first->waiting = 4;
            limits.watch();
            limits.watch();  // it begins once
            auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
            while (second->runs == 0 && std::chrono::steady_clock::now() < deadline)
                std::this_thread::yield();
            return second_wins ? until_stopped(limits) : ended(End::finished, 7);
        };
        Race race(widens, second_wins ? immediately(End::finished, 8) : until_stopped,
                  {.head_start = 0, .alone = 0, .min_waiting = 4});
        first = &race.first;
        second = &race.second;
        race.first.watches = true;
        race.first.waiting = 3;
        Outcome const outcome = race.engine->run({});
        EXPECT_EQ(outcome.end, End::finished);
        EXPECT_EQ(outcome.rewrites(), second_wins ? 8u : 7u);
        EXPECT_EQ(race.found(), second_wins ? of_second : of_first);
        race.engine.reset();
        EXPECT_EQ(race.second.runs, 1u);
        EXPECT_EQ((second_wins ? race.first : race.second).stopped, 1u);
    }
}

// Its thread would use device 0, whatever the thread that asks uses.
TEST_F(Races, TheSecondEngineUsesTheSelectedDevice) {
    std::size_t const last = std::max<std::size_t>(simt::cuda_devices().devices.size(), 1) - 1;
    std::optional<std::size_t> before, selected;
    std::jthread([&] {
        try {
            simt::use_device(last);
        } catch (simt::Error const&) {  // no device
            return;
        }
        before = last;
        Race race(
            throws, [&](Limits const&) { return selected = simt::selected_device(), ended(End::finished); }, together);
        EXPECT_EQ(race.engine->run({}).end, End::finished);
    }).join();
    EXPECT_EQ(selected, before);
}

// An error or a limit of the engine that calls back leaves the race to the other one, and a request stops both.
TEST_F(Races, TheSecondEngineReplacesAFirstOneOnTheCallingThread) {
    for (Action const& fails : {Action(immediately(End::out_of_memory)), Action(throws)}) {
        Race race(fails, immediately(End::finished), {.head_start = 60, .alone = 0});
        race.first.watches = true;
        race.first.waiting = 0;
        EXPECT_EQ(race.engine->run({}).end, End::finished);
        EXPECT_EQ(race.found(), of_second);
    }
    Race both(until_stopped, until_stopped, together);
    both.first.watches = true;
    std::stop_source stop;
    Limits limits;
    limits.stop = stop.get_token();
    std::thread later([&] { stop.request_stop(); });
    EXPECT_EQ(both.engine->run(limits).end, End::stopped);
    later.join();
    EXPECT_EQ(both.second.runs, 0u);
}

// An engine that fails without waiting subterms leaves the race to the other one.
TEST_F(Races, TheSecondEngineReplacesAFirstOneWithoutWaitingSubterms) {
    Race race(immediately(End::out_of_memory), immediately(End::finished), {.alone = 0.001});
    race.first.waiting = 0;
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    EXPECT_EQ(race.found(), of_second);
}

// The second engine is created and gets the input when the first has not finished in time. The first one goes on: it
// runs once. A later short term does not use the second engine.
TEST_F(Races, ALongTermCreatesTheSecondEngine) {
    std::atomic<bool> is_short = false;  // the loser of a race may still run when the race has its answer
    auto const slow = [&is_short](Limits const& limits) {
        return is_short ? ended(End::finished) : until_stopped(limits);
    };
    Race race(slow, immediately(End::finished), {});
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    EXPECT_EQ(race.second.made, 1u);
    EXPECT_EQ(race.second.loads, 1u);
    EXPECT_EQ(race.first.runs, 1u);
    EXPECT_EQ(race.found(), of_second);
    EXPECT_EQ(race.engine->found_by(), "second before first");
    is_short = true;
    Terms terms;
    race.engine->load(terms, terms.application(0, {}));
    EXPECT_EQ(race.engine->run({}).end, End::finished);
    EXPECT_EQ(race.second.loads, 1u);
    EXPECT_EQ(race.second.runs, 1u);
    EXPECT_EQ(race.engine->found_by(), "first alone");
}

std::unique_ptr<Engine> make_fast_engine(System const& system) {
    if (!lockstep::tests::under_compute_sanitizer())
        return fast::make_engine(system, lockstep::tests::kernel_machine());
    jit::Device& device = jit::device_of(lockstep::tests::kernel_machine());
    return std::make_unique<fast::FastEngine>(system, device, fast::walking_options(default_options()));
}

// For our engines. An engine that does not stop would rewrite until the limit of five minutes.
TEST_F(Races, EnginesStopOnRequest) {
    System const system = parse_system(systems_folder + "endless_loop.trs", bench::read_file);
    std::vector<NamedEngine> engines = all_engines(system);
    engines.push_back({"fast", make_fast_engine(system)});
#if !defined(LOCKSTEP_ADDRESS_SANITIZER) && !defined(LOCKSTEP_THREAD_SANITIZER)
    engines.push_back({"GPU as printed", as_printed::make_engine(system, lockstep::tests::kernel_machine())});
#endif
    for (NamedEngine const& named : engines) {
        named.engine->load(system.terms, system.inputs[0]);
        for (unsigned run = 0; run < 2; ++run) {
            std::stop_source stop;
            Limits limits = test_limits();
            limits.stop = stop.get_token();
            std::thread later([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(run * 10));
                stop.request_stop();
            });
            EXPECT_EQ(named.engine->run(limits).end, End::stopped) << named.name;
            later.join();
        }
        // The request applies to one run only: the next run is not stopped.
        Limits limits = test_limits();
        limits.rewrites = 1000;
        EXPECT_EQ(named.engine->run(limits).end, End::too_many_rewrites) << named.name;
    }
}

// A race between the CPU's cores and the second machine, and one that the second machine always wins.
class RepeatedRaces : public Races, public testing::WithParamInterface<bool> {
protected:
    // The result equals the oracle's, whichever engine wins.
    void expect_the_oracles(Engine& racing, System const& system) {
        std::unique_ptr<Engine> const oracle = make_oracle(system);
        for (TermId const input : system.inputs) {
            Ran const expected = run_engine(*oracle, system.terms, input);
            for (unsigned run = 0; run < (lockstep::tests::under_compute_sanitizer() ? 1u : 3u); ++run) {
                Ran const ran = run_engine(racing, system.terms, input);
                ASSERT_EQ(ran.outcome.end, End::finished);
                EXPECT_EQ(ran.outcome.applications, expected.outcome.applications);
                EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form));
            }
        }
    }
};

TEST_P(RepeatedRaces, GiveTheOraclesResult) {
    System const system = parse_system(systems_folder + "condition_order.rec", bench::read_file);
    bool const the_second_wins = GetParam();
    if (!the_second_wins) {
        expect_the_oracles(*make_auto_engine(system, lockstep::tests::kernel_machine(), together), system);
        return;
    }
    PlantedEngine::Asked asked;
    Racer const never = {"never", [&] { return std::make_unique<PlantedEngine>(until_stopped, of_first, asked); }};
    Racer const fast = {"fast", [&system] { return make_fast_engine(system); }};
    std::unique_ptr<Engine> const delayed = make_racing_engine(never, fast, together);
    expect_the_oracles(*delayed, system);
    EXPECT_EQ(delayed->metrics().at("second_won"), 1);
}

INSTANTIATE_TEST_SUITE_P(Races, RepeatedRaces, testing::Bool(), [](testing::TestParamInfo<bool> const& tested) {
    return tested.param ? "TheSecondWins" : "OpenEnd";
});

}  // namespace
}  // namespace lockstep::term_rewriting
