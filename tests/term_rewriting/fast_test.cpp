// The engine `fast` in the emulator does what the oracle does, for grids of several shapes.

#include "harness/simt/emulator/options.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

std::vector<std::string> finite_systems() {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(systems_folder)) {
        if (entry.path().filename().string().rfind("endless", 0) != 0)
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

class FastOnEverySystem : public testing::TestWithParam<std::string> {};

TEST_P(FastOnEverySystem, DoesWhatTheOracleDoes) {
    System const system = parse_system(systems_folder + GetParam(), bench::read_file);
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    fast::FastEngine engine(system, device_of(simt::Machine::emulator), fast::options_for(simt::Machine::emulator));
    for (TermId const input : system.inputs) {
        Ran const expected = run_engine(*oracle, system.terms, input);
        Ran const ran = run_engine(engine, system.terms, input);
        ASSERT_EQ(ran.outcome.end, End::finished);
        EXPECT_EQ(ran.outcome.applications, expected.outcome.applications);
        EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form));
    }
}

INSTANTIATE_TEST_SUITE_P(Systems, FastOnEverySystem, testing::ValuesIn(finite_systems()),
                         [](auto const& tested) { return std::filesystem::path(tested.param).stem().string(); });

TermId expand(System const& system, Terms& terms, unsigned depth) {
    auto const named = [&](std::string const& name) {
        SymbolId symbol = 0;
        while (system.symbols[symbol].name != name)
            ++symbol;
        return symbol;
    };
    TermId number = terms.application(named("Zero"), {});
    for (unsigned i = 0; i < depth; ++i)
        number = terms.application(named("Suc"), std::span(&number, 1));
    return terms.application(named("Expand"), std::span(&number, 1));
}

// Work goes from lane to lane and from block to block in other ways, and what comes out is the same.
TEST(FastGrid, EveryShapeGivesTheSame) {
    System const system = parse_system(systems_folder + "transformation_tree.trs", bench::read_file);
    Terms terms;
    TermId const input = expand(system, terms, 11);
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, terms, input);
    for (auto const& [blocks, block] : {std::pair{1u, 32u}, {1u, 256u}, {3u, 64u}, {8u, 96u}}) {
        for (unsigned const age : {1u, 8u}) {
            fast::Options options = fast::options_for(simt::Machine::emulator);
            options.blocks = blocks;
            options.block = block;
            options.few_turns = 2;
            options.many_turns = 8;
            options.age_rounds = age;
            fast::FastEngine engine(system, device_of(simt::Machine::emulator), options);
            Ran const ran = run_engine(engine, terms, input);
            ASSERT_EQ(ran.outcome.end, End::finished);
            EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << blocks << " of " << block;
            EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form));
            printf("%u %u: splits %lu launches %lu turns %lu lanes %lu\n", blocks, block, engine.measures().splits, engine.measures().launches, engine.measures().warp_turns, engine.measures().lane_turns);
        }
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
