// Random systems and terms: every engine equals the oracle.

#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/random_system.hpp"

namespace lockstep::term_rewriting {
namespace {

TEST(Property, EnginesAgreeOnRandomSystems) {
    std::uint64_t rewrites = 0;
    std::size_t finished = 0;
    constexpr unsigned systems = sanitized ? 3 : 12;
    for (unsigned seed = 1; seed <= systems; ++seed) {
        System const system = parse_text(RandomSystem(seed).text(), "random" + std::to_string(seed) + ".rec");
        std::vector<NamedEngine> const engines = all_engines(system);
        for (TermId const input : system.inputs) {
            Limits limits = test_limits();
            limits.rewrites = 200000;
            limits.memory = 256 << 20;
            Ran const expected = run_engine(*engines[0].engine, system.terms, input, limits);
            if (expected.outcome.end != End::finished)
                continue;
            ++finished;
            rewrites += expected.outcome.rewrites();
            for (std::size_t i = 1; i < engines.size(); ++i) {
                Ran const ran = run_engine(*engines[i].engine, system.terms, input, limits);
                ASSERT_EQ(ran.outcome.end, End::finished) << "seed " << seed << " on " << engines[i].name;
                EXPECT_EQ(ran.outcome.applications, expected.outcome.applications)
                    << "seed " << seed << " on " << engines[i].name << ": " << to_string(system, input);
                EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form))
                    << "seed " << seed << " on " << engines[i].name << ": " << to_string(system, input);
            }
        }
    }
    EXPECT_GE(finished, 5 * systems);
    EXPECT_GE(rewrites, 10 * systems);
}

}  // namespace
}  // namespace lockstep::term_rewriting
