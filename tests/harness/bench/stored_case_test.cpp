// A case that stores words on the CPU, and what make_variant fills in.

#include <gtest/gtest.h>

#include "harness/bench/digest.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"

namespace lockstep::bench {
namespace {

Problem three_units() {
    Problem problem;
    problem.first_unit = 10;
    problem.units = 3;
    return problem;
}

// Two words per unit: its number, and how often complete() was called.
class PairCase : public cpu::StoredCase {
public:
    explicit PairCase(Problem const& problem) : StoredCase(problem, 2) {}

    void run(simt::Stream) override {
        for (std::uint32_t i = 0; i < problem().units; ++i) {
            std::uint32_t const result[] = {static_cast<std::uint32_t>(problem().first_unit) + i, 0};
            store(i, result);
        }
    }
    Work work() const override { return {}; }

    int completed = 0;

private:
    void complete() override {
        ++completed;
        output().data()[1] = static_cast<unsigned>(completed);
    }
};

TEST(BenchStoredCase, IsPoisonedUntilItRuns) {
    PairCase made(three_units());
    made.reset();
    std::uint64_t const unit = 12;
    EXPECT_EQ(made.results({&unit, 1}).front(), (UnitResult{0xA5A5A5A5u, 0xA5A5A5A5u}));
    made.run({});
    EXPECT_EQ(made.results({&unit, 1}).front(), (UnitResult{12, 0}));
    made.reset();
    EXPECT_EQ(made.results({&unit, 1}).front(), (UnitResult{0xA5A5A5A5u, 0xA5A5A5A5u}));
}

TEST(BenchStoredCase, CompletesItsResultsBeforeTheyAreReadOrDigested) {
    PairCase made(three_units());
    made.reset();
    made.run({});
    EXPECT_EQ(made.completed, 0);
    std::uint64_t const units[] = {10, 11};
    EXPECT_EQ(made.results(units).front(), (UnitResult{10, 1}));
    std::uint64_t const digest = made.digest();
    EXPECT_EQ(made.completed, 2);
    EXPECT_EQ(digest, unit_digest(10, UnitResult{10, 2}) + unit_digest(11, UnitResult{11, 0}) +
                          unit_digest(12, UnitResult{12, 0}));
}

TEST(BenchStoredCase, RejectsUnitsThatItDoesNotHave) {
    PairCase made(three_units());
    for (std::uint64_t const unit : {9, 13})
        EXPECT_THROW(made.results({&unit, 1}), Error) << unit;
}

TEST(BenchMakeVariant, IsOfTheMachineThatTheFileIsCompiledFor) {
    auto const make = [](Problem const& problem) { return std::make_unique<PairCase>(problem); };
    Variant const any = cpu::make_variant("pair", Role::ours, "numbers", "a number and a count", make);
    EXPECT_EQ(any.name, "pair");
    EXPECT_EQ(any.role, Role::ours);
    EXPECT_EQ(any.machine, Machine::cpu);
    EXPECT_EQ(any.reference, "numbers");
    EXPECT_EQ(any.description, "a number and a count");
    EXPECT_EQ(any.unsupported_reason({}), "");
    EXPECT_NE(any.make(three_units()), nullptr);
    Variant const none = cpu::make_variant("pair", Role::ours, "numbers", "never", make,
                                           [](Axes const&) { return std::string("no axes suit it"); });
    EXPECT_EQ(none.unsupported_reason({}), "no axes suit it");
}

}  // namespace
}  // namespace lockstep::bench
