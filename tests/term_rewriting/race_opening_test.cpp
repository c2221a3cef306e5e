// How a race opens the hardware of its second engine, in steps beside the first engine. Linked with the second machine.

#include <atomic>
#include <future>
#include <vector>

#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/races.hpp"

namespace lockstep::term_rewriting {
namespace {

class RaceOpening : public Races {};

// Opening a GPU takes long. Nobody waits for it if the first engine has finished: neither that run nor a later one.
TEST_F(RaceOpening, NoRunWaitsForASecondEngineThatIsBeingMade) {
    PlantedEngine::Asked first, second;
    std::promise<void> entered, released;
    std::shared_future<void> const is_entered = entered.get_future().share();
    std::shared_future<void> const is_released = released.get_future().share();
    std::atomic<bool> is_long = false;
    auto const until_entered = [&](Limits const& limits) {
        if (is_long)
            return until_stopped(limits);
        is_entered.wait();
        return ended(End::finished);
    };
    auto const make_second = [&] {
        entered.set_value();
        is_released.wait();
        return std::make_unique<PlantedEngine>(immediately(End::finished), of_second, second);
    };
    std::unique_ptr<Engine> const engine =
        make_racing_engine(planted("first", until_entered, of_first, first), {"second", make_second}, {.alone = 0.001});
    Terms terms;
    TermId const input = terms.application(0, {});
    for (unsigned run = 0; run < 2; ++run) {
        engine->load(terms, input);
        EXPECT_EQ(engine->run({}).end, End::finished);
        EXPECT_EQ(engine->found_by(), "first alone");
        EXPECT_TRUE(engine->is_busy());
    }
    EXPECT_EQ(second.made, 0u);
    is_long = true;
    released.set_value();
    engine->load(terms, input);
    EXPECT_EQ(engine->run({}).end, End::finished);
    EXPECT_EQ(engine->found_by(), "second before first");
    EXPECT_EQ(second.made, 1u);
    EXPECT_EQ(second.loads, 1u);
}

// A process that ends while a step goes on waits for that step, so the race ends the opening between two steps. What is
// open stays open for the next long term.
TEST_F(RaceOpening, OpeningEndsBetweenTwoStepsWhenTheFirstEngineHasFinished) {
    PlantedEngine::Asked first, second;
    std::promise<void> begun, finished;
    std::shared_future<void> const has_begun = begun.get_future().share();
    std::shared_future<void> const has_finished = finished.get_future().share();
    std::atomic<unsigned> driver = 0, context = 0;
    std::atomic<bool> is_long = false;
    auto const until_begun = [&](Limits const& limits) {
        if (is_long)
            return until_stopped(limits);
        has_begun.wait();
        return ended(End::finished);
    };
    auto const open_driver = [&] {
        ++driver;
        begun.set_value();
        has_finished.wait();
    };
    Racer racer = planted("second", immediately(End::finished), of_second, second);
    racer.opening = {open_driver, [&] { ++context; }};
    std::unique_ptr<Engine> const engine =
        make_racing_engine(planted("first", until_begun, of_first, first), racer, {.alone = 0.001});
    Terms terms;
    TermId const input = terms.application(0, {});
    engine->load(terms, input);
    EXPECT_EQ(engine->run({}).end, End::finished);
    EXPECT_EQ(engine->found_by(), "first alone");
    EXPECT_TRUE(engine->is_busy());
    finished.set_value();
    engine->prepare();  // waits for the step
    EXPECT_FALSE(engine->is_busy());
    EXPECT_EQ(driver, 1u);
    EXPECT_EQ(context, 0u);
    EXPECT_EQ(second.made, 0u);

    is_long = true;
    engine->load(terms, input);
    EXPECT_EQ(engine->run({}).end, End::finished);
    EXPECT_EQ(engine->found_by(), "second before first");
    EXPECT_EQ(driver, 1u);
    EXPECT_EQ(context, 1u);
    EXPECT_EQ(second.made, 1u);
}

// A GPU whose driver cannot be opened, for example. Nobody tries again.
TEST_F(RaceOpening, AStepThatThrowsLeavesTheFirstEngineAlone) {
    PlantedEngine::Asked first, second;
    std::atomic<unsigned> begun = 0, opened = 0;
    std::promise<void> failed;
    std::shared_future<void> const has_failed = failed.get_future().share();
    auto const until_failed = [&](Limits const&) {
        has_failed.wait();
        return ended(End::finished);
    };
    auto const open_context = [&] {
        ++opened;
        failed.set_value();
        throw bench::Error("no context", "planted");
    };
    Racer racer = planted("second", until_stopped, of_second, second);
    racer.opening = {[&] { ++begun; }, open_context};
    std::unique_ptr<Engine> const engine =
        make_racing_engine(planted("first", until_failed, of_first, first), racer, {.alone = 0.001});
    Terms terms;
    TermId const input = terms.application(0, {});
    for (unsigned run = 0; run < 2; ++run) {
        engine->load(terms, input);
        EXPECT_EQ(engine->run({}).end, End::finished);
        EXPECT_EQ(engine->found_by().rfind("first alone", 0), 0u) << engine->found_by();
        engine->prepare();
    }
    EXPECT_NE(engine->found_by().find("no context"), std::string::npos) << engine->found_by();
    EXPECT_EQ(begun, 1u);
    EXPECT_EQ(opened, 1u);
    EXPECT_EQ(second.made, 0u);
}

TEST_F(RaceOpening, AnEngineThatIsReadyHasPerformedEveryStep) {
    PlantedEngine::Asked first, second;
    std::vector<int> steps;
    auto const make_second = [&] {
        steps.push_back(3);
        return std::make_unique<PlantedEngine>(until_stopped, of_second, second);
    };
    Racer const racer = {"second", make_second, {[&] { steps.push_back(1); }, [&] { steps.push_back(2); }}};
    Racer const one = planted("first", immediately(End::finished), of_first, first);
    make_racing_engine(one, racer, together);
    EXPECT_EQ(steps, (std::vector{1, 2, 3}));
    steps.clear();
    std::unique_ptr<Engine> const later = make_racing_engine(one, racer);
    EXPECT_TRUE(steps.empty());
    Terms terms;
    later->load(terms, terms.application(0, {}));
    later->make_ready({});
    EXPECT_EQ(steps, (std::vector{1, 2, 3}));
}

}  // namespace
}  // namespace lockstep::term_rewriting
