// A variant that chooses another one: its results, its reference, its source, and what it refuses.

#include "harness/bench/choosing_variant.hpp"

#include <gtest/gtest.h>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

// Takes `first` for style plain, else `second`.
Variant chooser(Experiment const& experiment, std::string const& first, std::string const& second) {
    return choosing_variant(experiment, Machine::cpu, "chooser", Role::ours, "chooses", [=](Axes const& axes) {
        return axes.text("style") == "plain" ? std::vector{first, second} : std::vector{second, first};
    });
}

Axes with_style(Experiment const& experiment, std::string const& style) {
    Axes axes = default_axes(experiment);
    axes.set("style", style);
    return axes;
}

TEST(ChoosingVariant, TakesTheFirstThatSupportsTheAxes) {
    Experiment const experiment = toy::make_toy();
    Axes const plain = with_style(experiment, "plain");
    Axes const fancy = with_style(experiment, "fancy");
    Variant const made = chooser(experiment, "picky", "right");
    EXPECT_EQ(worker(made, plain).name, "picky");
    EXPECT_EQ(worker(made, fancy).name, "right");
    EXPECT_EQ(worker(chooser(experiment, "right", "picky"), fancy).name, "right");  // picky does not support it
    EXPECT_EQ(made.unsupported_reason(fancy), "");
    EXPECT_EQ(worker(experiment.variants.front(), plain).name, experiment.variants.front().name);
}

TEST(ChoosingVariant, HasTheReasonOfTheLast) {
    Experiment const experiment = toy::make_toy();
    Variant const made = choosing_variant(experiment, Machine::cpu, "chooser", Role::ours, "chooses",
                                          [](Axes const&) { return std::vector<std::string>{"picky"}; });
    EXPECT_EQ(made.unsupported_reason(with_style(experiment, "fancy")), "style fancy is not supported");
}

TEST(ChoosingVariant, HasResultsAndReferenceOfItsChoice) {
    Experiment const experiment = toy::make_toy();
    Variant const made = chooser(experiment, "unverifiable", "right");
    for (auto const& [style, reference] : {std::pair{"plain", "slow"}, {"fancy", "scalar"}}) {
        Problem const problem{with_style(experiment, style), 3, 0, 4};
        EXPECT_EQ(worker(made, problem.axes).reference, reference);
        std::vector<std::uint64_t> const units = {0, 1, 2, 3};
        std::unique_ptr<Case> const made_case = made.make(problem);
        made_case->reset();
        made_case->run({});
        std::vector<UnitResult> const results = made_case->results(units);
        for (std::uint64_t const unit : units)
            EXPECT_EQ(results[unit], experiment.reference("scalar").unit(problem, unit));
    }
}

// Without a GPU there are no trials, however often the problem is repeated.
TEST(ChoosingVariant, HasNoTrialsOnACpu) {
    Experiment const experiment = toy::make_toy();
    Variant const made = choosing_variant(experiment, Machine::cpu, "chooser", Role::ours, "chooses",
                                          [](Axes const&) {
                                              return std::vector<std::string>{"right", "scalar"};
                                          },
                                          {.candidates = 2});
    Problem problem{with_style(experiment, "plain"), 3, 0, 4};
    problem.repeated = true;
    EXPECT_EQ(made.make(problem)->chosen_variant(), nullptr);
}

TEST(ChoosingVariant, OfAnUnknownNameIsRefused) {
    Experiment const experiment = toy::make_toy();
    Axes const axes = default_axes(experiment);
    EXPECT_THROW(chooser(experiment, "none", "right").unsupported_reason(axes), Error);
    EXPECT_THROW(chooser(experiment, "kernel", "right").unsupported_reason(axes), Error);  // of another machine
}

}  // namespace
}  // namespace lockstep::bench
