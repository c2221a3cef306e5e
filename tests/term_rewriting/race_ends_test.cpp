// Limits, errors and requests that end one of the engines of a race, or both. Linked with the second machine.

#include <stop_token>
#include <thread>

#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/races.hpp"

namespace lockstep::term_rewriting {
namespace {

class RaceEnds : public Races {};

TEST_F(RaceEnds, ALimitOfOneEngineLeavesTheRaceToTheOther) {
    for (End const end : {End::out_of_memory, End::out_of_time}) {
        Race first(immediately(end), immediately(End::finished), together);
        EXPECT_EQ(first.engine->run({}).end, End::finished);
        EXPECT_EQ(first.found(), of_second);
        Race second(immediately(End::finished), immediately(end), together);
        EXPECT_EQ(second.engine->run({}).end, End::finished);
        EXPECT_EQ(second.found(), of_first);
        Race both(immediately(end), immediately(end), together);
        EXPECT_EQ(both.engine->run({}).end, end);
    }
    // Both count the same rewrites.
    Race too_many(until_stopped, immediately(End::too_many_rewrites), together);
    EXPECT_EQ(too_many.engine->run({}).end, End::too_many_rewrites);
    // The user's time limit ends before a second engine would be created.
    Race early(immediately(End::out_of_time), throws, {});
    Limits limits;
    limits.seconds = 0.001;
    EXPECT_EQ(early.engine->run(limits).end, End::out_of_time);
    EXPECT_EQ(early.second.made, 0u);
}

TEST_F(RaceEnds, AnErrorOfOneDoesNotLoseTheOthersResult) {
    Race second(immediately(End::finished), throws, together);
    for (unsigned run = 0; run < 3; ++run) {
        EXPECT_EQ(second.engine->run({}).end, End::finished);
        EXPECT_EQ(second.found(), of_first);
    }
    EXPECT_LE(second.second.runs, 1u) << "it does not run again";

    Race first(throws, immediately(End::finished), together);
    EXPECT_EQ(first.engine->run({}).end, End::finished);
    EXPECT_EQ(first.found(), of_second);

    Race limit(throws, immediately(End::out_of_memory), together);
    EXPECT_EQ(limit.engine->run({}).end, End::out_of_memory) << "is more informative than the error";

    Race both(throws, throws, together);
    EXPECT_THROW(both.engine->run({}), bench::Error);
}

TEST_F(RaceEnds, ContinuesWithoutASecondEngineThatCannotBeCreated) {
    PlantedEngine::Asked asked;
    unsigned tried = 0;
    std::unique_ptr<Engine> const engine = make_racing_engine(
        {"first", [&] { return std::make_unique<PlantedEngine>(immediately(End::finished), of_first, asked); }},
        {"second",
         [&]() -> std::unique_ptr<Engine> {
             ++tried;
             throw bench::Error("no device", "planted");
         }},
        {.head_start = 0, .alone = 0});
    Terms terms;
    engine->load(terms, terms.application(0, {}));
    EXPECT_EQ(engine->run({}).end, End::finished);
    EXPECT_EQ(engine->run({}).end, End::finished);
    EXPECT_EQ(tried, 1u);
    EXPECT_NE(engine->found_by().find("no device"), std::string::npos) << engine->found_by();
}

TEST_F(RaceEnds, ARaceIsStoppedAsAWhole) {
    Race race(until_stopped, until_stopped, together);
    std::stop_source stop;
    Limits limits;
    limits.stop = stop.get_token();
    std::thread later([&] { stop.request_stop(); });
    EXPECT_EQ(race.engine->run(limits).end, End::stopped);
    later.join();
}

}  // namespace
}  // namespace lockstep::term_rewriting
