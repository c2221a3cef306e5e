// A run compiles the code of its cases before the first case: each text once, and nothing after an interrupt.

#include "harness/bench/compile_ahead.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <mutex>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/bench/interrupt.hpp"
#include "harness/bench/runner.hpp"
#include "tests/harness/bench/temporary_folder.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

// What was compiled or made, in order.
class Events {
public:
    void add(std::string const& event) {
        std::unique_lock const lock(mutex_);
        events_.push_back(event);
    }
    std::vector<std::string> const& all() const { return events_; }

private:
    std::mutex mutex_;
    std::vector<std::string> events_;
};

// Lets the variant compile these texts; "wrong" does not compile.
void compiles(Experiment& experiment, std::string const& name, std::vector<std::string> const& texts, Events& events) {
    Variant& variant = *std::find_if(experiment.variants.begin(), experiment.variants.end(),
                                     [&](Variant const& each) { return each.name == name; });
    variant.compilations = [&events, texts](Problem const&) {
        std::vector<Compilation> compilations;
        for (std::string const& text : texts)
            compilations.push_back({text, [&events, text] {
                                        events.add(text);
                                        if (text == "wrong")
                                            throw bench::Error("cannot compile");
                                    }});
        return compilations;
    };
    variant.make = [&events, make = variant.make](Problem const& problem) {
        events.add("case");
        return make(problem);
    };
}

struct Counts : RunObserver {
    void compiling(std::size_t texts) override { compiled = texts; }
    std::size_t compiled = 0;
};

TEST(BenchCompileAhead, EachTextIsCompiledOnceBeforeTheFirstCase) {
    Experiment experiment = toy::make_toy();
    Events events;
    compiles(experiment, "right", {"shared", "own"}, events);
    compiles(experiment, "scalar", {"wrong", "shared"}, events);
    compiles(experiment, "picky", {"refused"}, events);  // it does not support "fancy"
    Sweep sweep;
    sweep.name = "test";
    sweep.presets = {"quick"};
    sweep.axes = {{"style", {"fancy"}}, {"count", {"33"}}};
    Selection selection;
    selection.machines = {Machine::cpu};
    selection.machines_are_explicit = true;
    selection.variant = "right|scalar|picky";
    selection.repetitions = 3;
    tests::TemporaryFolder const folder;
    RunOptions options;
    options.output = folder.path();
    options.provenance.device_slug = "toy-device";
    Counts observer;
    RunSummary const summary = run_cases(plan_cases(experiment, {sweep}, selection), options, observer);
    EXPECT_EQ(summary.finished, 3u);
    EXPECT_EQ(summary.failures, 0u) << "a case compiles again what failed";
    EXPECT_EQ(observer.compiled, 3u);
    std::vector<std::string> first = events.all();
    ASSERT_GE(first.size(), 5u);
    first.resize(4);
    std::sort(first.begin(), first.begin() + 3);
    EXPECT_EQ(first, (std::vector<std::string>{"own", "shared", "wrong", "case"}));
}

TEST(BenchCompileAhead, NothingIsCompiledAfterAnInterrupt) {
    Events events;
    std::vector<Compilation> const second = {{"second", [&] { events.add("second"); }}};
    {
        InterruptScope const scope;
        compile_ahead({{"first", [] { std::raise(SIGINT); }}}, {});
        ASSERT_TRUE(interrupt_requested());
        compile_ahead(second, {});
        EXPECT_TRUE(events.all().empty());
    }
    InterruptScope const next;  // forgets the signal, which the other tests would see too
    compile_ahead(second, {});
    EXPECT_EQ(events.all().size(), 1u);
}

TEST(BenchCompileAhead, EveryShardCompilesEveryText) {
    std::mutex mutex;
    std::vector<std::string> compiled;
    std::vector<Compilation> texts;
    for (std::string const text : {"a", "b", "c"})
        texts.push_back({text, [&, text] {
                             std::unique_lock const lock(mutex);
                             compiled.push_back(text);
                         }});
    for (std::uint64_t const index : {0u, 1u, 2u}) {
        compiled.clear();
        compile_ahead(texts, {index, 3});
        std::sort(compiled.begin(), compiled.end());
        EXPECT_EQ(compiled, (std::vector<std::string>{"a", "b", "c"})) << index;
    }
    compile_ahead({texts[1]}, {2, 3});  // fewer texts than shards
    EXPECT_EQ(compiled.size(), 4u);
}

}  // namespace
}  // namespace lockstep::bench
