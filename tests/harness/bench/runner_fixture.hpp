#pragma once
// Cases of the toy experiment for tests of the runner.

#include <gtest/gtest.h>

#include <string>

#include "harness/bench/runner.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::toy {

inline constexpr int repetitions = 7;

inline bench::PlannedCase planned(bench::Experiment const& experiment, std::string const& variant,
                                  bench::Machine const machine = bench::Machine::cpu,
                                  std::string const& style = "plain", std::string const& count = "33") {
    bench::Sweep sweep;
    sweep.name = "test";
    sweep.presets = {"quick"};
    sweep.axes = {{"style", {style}}, {"count", {count}}};
    bench::Selection selection;
    selection.machines = {machine};
    selection.machines_are_explicit = true;
    selection.variant = variant;
    selection.repetitions = repetitions;
    return bench::plan_cases(experiment, {sweep}, selection).at(0);
}

inline bench::CaseRecord run_one(std::string const& variant, bench::Machine const machine = bench::Machine::cpu,
                                 std::string const& style = "plain", std::string const& count = "33") {
    bench::Experiment const experiment = make_toy();
    return bench::CaseRunner(bench::RunOptions{}).run(planned(experiment, variant, machine, style, count));
}

class BenchRunner : public testing::Test {
protected:
    void SetUp() override {
        controls().wrong_run = 0;
        controls().interrupt = false;
    }
};

}  // namespace lockstep::toy
