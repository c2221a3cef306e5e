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

}  // namespace
}  // namespace lockstep::term_rewriting
