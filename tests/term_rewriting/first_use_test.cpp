// The first use of a system: who answers while a compiler works, and when it is ready, fails, or never ends. Planted
// compilers, so that no answer depends on the time that one takes.

#include "baselines/term_rewriting/first_use/first_use_engine.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/harness/jit/temporary_cache.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/planted_engine.hpp"

namespace lockstep::term_rewriting {
namespace {

constexpr std::uint64_t little_memory = 1000;

struct First {
    PlantedEngine::Asked interpreting, compiled;
    std::atomic<Readiness> readiness = Readiness::pending;
    FirstUse parts;
    std::unique_ptr<Engine> engine;

    First(Action interprets, Action runs) {
        parts.interpreting_name = "interpreting";
        parts.make_interpreting = [=, this] {
            return std::make_unique<PlantedEngine>(interprets, of_first, interpreting);
        };
        parts.compiled_name = "compiled";
        parts.make_compiled = [=, this] { return std::make_unique<PlantedEngine>(runs, of_second, compiled); };
        parts.readiness = [this] { return readiness.load(); };
        parts.interpreted_memory = little_memory;
        parts.rules = 1;
    }
    Engine& loaded() {
        if (engine == nullptr)
            engine = make_first_use_engine(parts);
        Terms terms;
        engine->load(terms, terms.application(0, {}));
        return *engine;
    }
    SymbolId found() {
        Terms terms;
        return terms.symbol(engine->normal_form(terms));
    }
};

Action with_memory(std::uint64_t needed) {
    return [=](Limits const& limits) { return ended(limits.memory < needed ? End::out_of_memory : End::finished, 5); };
}

TEST(FirstUse, AShortTermIsInterpretedWhileTheCompilerWorks) {
    First first(immediately(End::finished, 7), throws);
    Engine& engine = first.loaded();
    EXPECT_EQ(engine.peak_waiting(), 0u) << "nobody opens a GPU for it";
    for (unsigned run = 1; run <= 2; ++run) {
        EXPECT_EQ(engine.run({}).rewrites(), 7u);
        EXPECT_EQ(first.found(), of_first);
        EXPECT_EQ(engine.found_by(), "interpreting before compiled");
        EXPECT_EQ(first.interpreting.runs, run);
    }
    EXPECT_EQ(first.compiled.made, 0u);
}

TEST(FirstUse, TheCompiledEngineReplacesAnInterpretedRun) {
    std::atomic<Readiness>* readiness = nullptr;
    auto const until_replaced = [&readiness](Limits const& limits) {
        *readiness = Readiness::ready;
        return until_stopped(limits);
    };
    First first(until_replaced, immediately(End::finished, 8));
    readiness = &first.readiness;
    first.compiled.waiting = 3;
    Engine& engine = first.loaded();
    EXPECT_EQ(engine.run({}).rewrites(), 8u) << "those of the dropped run do not count";
    EXPECT_EQ(first.found(), of_second);
    EXPECT_EQ(engine.found_by(), "compiled before interpreting");
    EXPECT_EQ(first.interpreting.stopped, 1u);
    EXPECT_EQ(engine.peak_waiting(), 3u);
    // From now on there is one engine.
    first.loaded();
    EXPECT_EQ(engine.run({}).end, End::finished);
    EXPECT_EQ(engine.found_by(), "");
    EXPECT_EQ(first.interpreting.runs, 1u);
    EXPECT_EQ(first.compiled.made, 1u);
    EXPECT_EQ(first.compiled.loads, 2u);
}

TEST(FirstUse, ATimedRunWaitsForTheCompiler) {
    First first(throws, immediately(End::finished));
    Engine& engine = first.loaded();
    std::thread later([&] { first.readiness = Readiness::ready; });
    engine.make_ready({});
    later.join();
    EXPECT_EQ(engine.run({}).end, End::finished);
    EXPECT_EQ(first.found(), of_second);
    EXPECT_EQ(first.interpreting.runs, 0u);
}

TEST(FirstUse, WithoutACompilerTheInterpretingEngineHasAllMemory) {
    First first(with_memory(2 * little_memory), throws);
    first.readiness = Readiness::failed;
    Engine& engine = first.loaded();
    EXPECT_EQ(engine.run({}).end, End::finished);
    EXPECT_EQ(first.found(), of_first);
    EXPECT_EQ(engine.found_by(), "interpreting alone: the compiler failed");
    EXPECT_EQ(engine.peak_waiting(), std::nullopt) << "a GPU may join";

    // The same if it fails during a run, or if its object cannot be loaded.
    std::atomic<Readiness>* readiness = nullptr;
    auto const until_failed = [&readiness](Limits const& limits) {
        *readiness = Readiness::failed;
        return with_memory(2 * little_memory)(limits);
    };
    First fails(until_failed, throws);
    readiness = &fails.readiness;
    EXPECT_EQ(fails.loaded().run({}).end, End::finished);
    EXPECT_EQ(fails.interpreting.runs, 2u);

    First broken(immediately(End::finished), throws);
    broken.readiness = Readiness::ready;
    broken.parts.make_compiled = []() -> std::unique_ptr<Engine> { throw bench::Error("no object", "planted"); };
    EXPECT_EQ(broken.loaded().run({}).end, End::finished);
    EXPECT_NE(broken.engine->found_by().find("no object"), std::string::npos);
}

TEST(FirstUse, ATermThatNeedsMoreMemoryOrTimeWaitsForTheCompiler) {
    for (bool const is_memory : {true, false}) {
        First first(is_memory ? with_memory(2 * little_memory) : immediately(End::out_of_time),
                    immediately(End::finished));
        first.parts.interpreted_seconds = is_memory ? 60 : 0;
        first.loaded();
        std::thread later([&] {
            while (first.interpreting.runs == 0)
                std::this_thread::yield();
            first.readiness = Readiness::ready;
        });
        EXPECT_EQ(first.engine->run({}).end, End::finished);
        later.join();
        EXPECT_EQ(first.found(), of_second);
    }
    First large(throws, immediately(End::finished));
    large.parts.largest_interpreted = 0;
    large.engine = make_first_use_engine(large.parts);
    Terms terms;
    terms.application(0, {});
    large.engine->load(terms, terms.application(0, {}));
    large.readiness = Readiness::ready;
    EXPECT_EQ(large.engine->run({}).end, End::finished);
    EXPECT_EQ(large.interpreting.made, 0u);
}

// With a compiler that never ends.
TEST(FirstUse, LimitsHoldWhileTheCompilerWorks) {
    First rewrites(immediately(End::too_many_rewrites, 9), throws);
    EXPECT_EQ(rewrites.loaded().run({}).end, End::too_many_rewrites);
    Limits limits;
    limits.seconds = 0.001;
    First waits(immediately(End::out_of_memory, 4), throws);
    Outcome const waited = waits.loaded().run(limits);
    EXPECT_EQ(waited.end, End::out_of_time);
    EXPECT_EQ(waited.rewrites(), 4u);
    First late(immediately(End::out_of_time, 4), throws);
    EXPECT_EQ(late.loaded().run(limits).end, End::out_of_time);
    EXPECT_EQ(late.interpreting.runs, 1u);
    First of_a_rule(immediately(End::stopped, 3), throws);
    EXPECT_EQ(of_a_rule.loaded().run({}).rewrites(), 3u) << "Limits::stop_after";

    std::stop_source stop;
    limits.seconds = 60;
    limits.stop = stop.get_token();
    First stopped(until_stopped, throws);
    stopped.loaded();
    std::thread later([&] {
        while (stopped.interpreting.runs == 0)
            std::this_thread::yield();
        stop.request_stop();
    });
    EXPECT_EQ(stopped.engine->run(limits).end, End::stopped);
    later.join();
    EXPECT_EQ(waits.compiled.made + late.compiled.made + stopped.compiled.made, 0u);
}

// A compiler that waits for a file, and then is the real one.
struct SlowCompiler {
    tests::TemporaryCache cache;
    std::filesystem::path const script = cache.folder.path() / "slow";
    std::filesystem::path const gate = cache.folder.path() / "gate";
    std::optional<tests::Environment> variable;

    SlowCompiler() {
        std::ofstream(script) << "#!/bin/sh\nuntil [ -e " << gate.string()
                              << " ]; do sleep 0.01; done\nexec c++ \"$@\"\n";
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        variable.emplace("CXX", script.string());
    }
    // The compilers that still wait end, and cannot store anything in a folder that is gone.
    ~SlowCompiler() { open(); }
    void open() const { std::ofstream const opened(gate); }
};

// Sums, in a system that no run of this process has compiled: programs stay loaded, and names do not matter.
System new_system() {
    static unsigned constants = 50;
    std::string sort = "sort N = Z() | S(N) | Plus(N, N) | Twice(N)";
    for (unsigned i = 0; i < constants; ++i)
        sort += " | C" + std::to_string(i) + "()";
    ++constants;
    System system = parse_text(sort +
                               "; var X, Y : N; eqn Plus(Z, Y) = Y; Plus(S(X), Y) = S(Plus(X, Y)); "
                               "Twice(X) = Plus(X, X);\n");
    for (char const* const term : {"Plus(S(S(Z)), S(Z))", "Twice(Plus(S(Z), Twice(S(Z))))", "Plus(C7, C7)"})
        system.inputs.push_back(parse_term(system, term, "term"));
    return system;
}

// Whoever answers, the result is the oracle's.
TEST(FirstUse, RealEnginesHaveTheOraclesResultWithASlowCompiler) {
    SlowCompiler const compiler;
    System const system = new_system();
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    std::unique_ptr<Engine> const first = make_cpu_engine(system, 0);
    for (bool const is_compiled : {false, true}) {
        for (TermId const input : system.inputs) {
            Ran const expected = run_engine(*oracle, system.terms, input);
            Ran const ran = run_engine(*first, system.terms, input);
            ASSERT_EQ(ran.outcome.end, End::finished);
            EXPECT_EQ(ran.outcome.applications, expected.outcome.applications);
            EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form));
            bool const by_oracle = first->found_by() == "oracle before generated C++";
            EXPECT_NE(by_oracle, is_compiled) << first->found_by();
        }
        compiler.open();
        first->make_ready(test_limits());
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
