// Planning of cases from sweeps.json and flags: the cases, their order, and the message for each error.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/plan.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

// The message of the Error that `call` throws.
template <class Call>
std::string message_of(Call const& call) {
    try {
        call();
    } catch (Error const& error) {
        return error.what();
    }
    return "no error";
}

std::string parse_message(std::string const& text) {
    return message_of([&] { parse_sweeps(text, "sweeps.json"); });
}

std::vector<std::string> names_of(std::vector<PlannedCase> const& cases) {
    std::vector<std::string> names;
    for (PlannedCase const& planned : cases)
        names.push_back(planned.name);
    return names;
}

Selection on(std::vector<Machine> machines) {
    Selection selection;
    selection.machines = std::move(machines);
    return selection;
}

TEST(BenchNearest, SuggestsTheNearestName) {
    std::vector<std::string> const words = {"occupied", "grid", "streams"};
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("abcd", "abdc"), 1u);
    EXPECT_EQ(nearest("ocupied", words), "occupied");
    EXPECT_EQ(nearest("girds", words), "grid");
    EXPECT_EQ(nearest("ticks", words), "");
    EXPECT_EQ(nearest("x", std::vector<std::string>{"y", "xy"}), "") << "every letter would be near";
    EXPECT_EQ(nearest("fish", std::vector<std::string>{"bash"}), "");
    EXPECT_EQ(suggestion("gpu", std::vector<std::string>{"auto", "cpu", "cuda"}), "did you mean cuda?");
    EXPECT_EQ(suggestion("gpu", std::vector<std::string>{"auto", "cpu"}), "did you mean cpu?");
    std::vector<std::string> const many(5000, "many");
    EXPECT_TRUE(suggestion("ticks", many).ends_with("many, many or 4000 more")) << suggestion("ticks", many);
    std::vector<std::string> const one = {std::string(100000, 'x')};
    EXPECT_EQ(suggestion("ticks", one), "choose from " + one[0]);
    EXPECT_EQ(suggestion("ticks", words), "choose from occupied, grid, streams");
}

TEST(BenchAxes, GettersNameTheError) {
    Axes axes;
    axes.set("count", "33");
    axes.set("rate", "0.5");
    EXPECT_EQ(axes.integer("count"), 33);
    EXPECT_EQ(axes.real("rate"), 0.5);
    EXPECT_EQ(message_of([&] { axes.integer("rate"); }), "invalid rate=0.5 (must be an integer)");
    EXPECT_EQ(message_of([&] { axes.text("cont"); }),
              "unknown axis cont (this problem does not have it) did you mean count?");
}

TEST(BenchAxes, ValuesAreChecked) {
    Experiment const experiment = toy::make_toy();
    Axis const factor = find_axis(experiment, "factor");
    EXPECT_NO_THROW(check_axis_value(factor, "1"));
    EXPECT_NO_THROW(check_axis_value(factor, "100"));
    EXPECT_EQ(message_of([&] { check_axis_value(factor, "0"); }), "invalid factor=0 (must be from 1 to 100)");
    EXPECT_EQ(message_of([&] { check_axis_value(factor, "101"); }), "invalid factor=101 (must be from 1 to 100)");
    EXPECT_EQ(message_of([&] { check_axis_value(factor, "3x"); }), "invalid factor=3x (must be an integer)");
    EXPECT_EQ(message_of([&] { check_axis_value(find_axis(experiment, "style"), "fanci"); }),
              "invalid style=fanci (not a value of this axis) did you mean fancy?");
    EXPECT_EQ(message_of([&] { find_axis(experiment, "factr"); }),
              "unknown axis factr (toy does not have it) did you mean factor?");
}

TEST(BenchExperiment, InconsistenciesAreErrorsAtStart) {
    EXPECT_NO_THROW(check_experiment(toy::make_toy()));
    Experiment wrong_reference = toy::make_toy();
    wrong_reference.variants.back().reference = "scaler";
    EXPECT_EQ(message_of([&] { check_experiment(wrong_reference); }),
              "unknown reference scaler (experiment toy does not define it) did you mean scalar?");
    Experiment twice = toy::make_toy();
    twice.variants.push_back(twice.variants.front());
    EXPECT_EQ(message_of([&] { check_experiment(twice); }), "invalid variant scalar on cpu (toy has it twice)");
    Experiment reserved = toy::make_toy();
    reserved.axes.back().name = "seed";
    EXPECT_EQ(message_of([&] { check_experiment(reserved); }),
              "invalid axis seed (an option of the program has this name)");
    Experiment bad_default = toy::make_toy();
    bad_default.axes.back().default_value = "loud";
    EXPECT_NE(message_of([&] { check_experiment(bad_default); }).find("invalid style=loud"), std::string::npos);
}

TEST(BenchSweeps, ReadsEveryKey) {
    auto const sweeps = parse_sweeps(R"({"sweeps": [{"name": "a", "title": "A", "presets": ["quick", "paper"],
        "variants": "r.*", "except": "red|rot", "machines": ["cpu"], "axes": {"count": [1, "2"], "style": "plain"},
        "per_machine": {"cpu": {"factor": [5]}}, "repetitions": 100, "cache": ["hot", "cold"]}, {"name": "b"}]})",
                                     "sweeps.json");
    ASSERT_EQ(sweeps.size(), 2u);
    EXPECT_EQ(sweeps[0].axes.at("count"), (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(sweeps[0].axes.at("style"), std::vector<std::string>{"plain"});
    EXPECT_EQ(sweeps[0].per_machine.at("cpu").at("factor"), std::vector<std::string>{"5"});
    EXPECT_EQ(sweeps[0].variants, "r.*");
    EXPECT_EQ(sweeps[0].except, "red|rot");
    EXPECT_EQ(sweeps[1].variants, ".*");
    EXPECT_EQ(sweeps[1].except, "");
    EXPECT_EQ(sweeps[0].repetitions, 100);
    EXPECT_EQ(sweeps[0].cache.size(), 2u);
    EXPECT_EQ(sweeps[1].machines.size(), 3u);
}

TEST(BenchSweeps, ReportsTheLineAndColumnOfParseErrors) {
    EXPECT_EQ(parse_message("{\n  \"sweeps\": [\n    {\"name\" \"a\"}\n  ]\n}").rfind("sweeps.json:3:1", 0), 0u)
        << parse_message("{\n  \"sweeps\": [\n    {\"name\" \"a\"}\n  ]\n}");
    EXPECT_EQ(parse_message("").rfind("sweeps.json:1:1 does not parse (", 0), 0u) << parse_message("");
    EXPECT_EQ(parse_message("{]").rfind("sweeps.json:1:2 does not parse (", 0), 0u) << parse_message("{]");
    for (std::string const text : {"", "{", "{]", "[1,\n2"}) {
        EXPECT_EQ(parse_message(text).find('\n'), std::string::npos) << "one line";
    }
}

TEST(BenchSweeps, NamesTheSweepAndTheKey) {
    EXPECT_EQ(parse_message("[]"), "invalid sweeps in sweeps.json (the file must be {\"sweeps\": [...]})");
    EXPECT_EQ(parse_message(R"({"sweeps": [{}]})"), "invalid entry 1 of sweeps in sweeps.json (it has no name)");
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a", "repetitons": 3}]})"),
              "invalid key repetitons in sweeps.json, sweep a (a sweep does not have it) did you mean repetitions?");
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a", "repetitions": 1}]})"),
              "invalid repetitions in sweeps.json, sweep a (must be an integer from 2 to 100000)");
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a", "machines": ["gpu"]}]})").rfind("invalid machines in", 0), 0u);
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a", "roles": ["our"]}]})"),
              "invalid roles in sweeps.json, sweep a (our is not a valid value) did you mean ours?");
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a", "axes": {"count": []}}]})"),
              "invalid axes.count in sweeps.json, sweep a (the list is empty)");
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a"}, {"name": "a"}]})"),
              "invalid sweep a in sweeps.json (its name is used twice)");
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a", "variants": "("}]})"),
              "invalid variants in sweeps.json, sweep a: ( (character 1: this ( is not closed) write \\( for the "
              "character itself");
    EXPECT_EQ(parse_message(R"({"sweeps": [{"name": "a", "except": "(?!b).*"}]})"),
              "invalid except in sweeps.json, sweep a: (?!b).* (character 1: lookahead and lookbehind are not "
              "supported) use except to leave names out");
}

std::vector<Sweep> two_sweeps() {
    return parse_sweeps(R"({"sweeps": [
        {"name": "one", "presets": ["quick"], "variants": "right|kernel", "repetitions": 5,
         "axes": {"count": ["33", "64"]}, "per_machine": {"emulator": {"count": ["33"]}}},
        {"name": "two", "presets": ["quick", "full"], "variants": "right", "repetitions": 9, "machines": ["cpu"]}]})",
                        "sweeps.json");
}

TEST(BenchPlan, ExpandsAndGroupsByAxes) {
    Experiment const experiment = toy::make_toy();
    auto const cases = plan_cases(experiment, two_sweeps(), on({Machine::cpu, Machine::emulator}));
    EXPECT_EQ(names_of(cases),
              (std::vector<std::string>{"toy/right/cpu", "toy/kernel/emulator", "toy/right/cpu/count:64"}));
    EXPECT_EQ(cases[0].sweeps, (std::vector<std::string>{"one", "two"}));  // in two sweeps, run once
    EXPECT_EQ(cases[0].repetitions, 9);
    EXPECT_EQ(cases[2].problem.units, 64u);
}

TEST(BenchPlan, ASweepSelectsByRole) {
    Experiment const experiment = toy::make_toy();
    auto const selected = [&](std::string const& keys) {
        auto const sweeps = parse_sweeps(R"({"sweeps": [{"name": "a", "presets": ["quick"], )" + keys + "}]}", "");
        std::vector<std::string> names;
        for (PlannedCase const& planned : plan_cases(experiment, sweeps, on({Machine::cpu, Machine::emulator})))
            names.push_back(planned.variant->name);
        return names;
    };
    EXPECT_EQ(selected(R"("roles": ["ours", "paper"])"), (std::vector<std::string>{"right", "kernel"}));
    EXPECT_EQ(selected(R"("roles": "reference")"), std::vector<std::string>{"scalar"});
    EXPECT_EQ(selected(R"("roles": ["ours", "paper"], "except": "kernel")"), std::vector<std::string>{"right"});
    EXPECT_EQ(selected(R"("variants": ".*r.*", "except": "ri.*|wrong|throws|unverified", "roles": ["ours", "paper"])"),
              std::vector<std::string>{"kernel"});
}

TEST(BenchPlan, FlagsOverrideSweeps) {
    Experiment const experiment = toy::make_toy();
    Selection selection = on({Machine::cpu});
    selection.sweeps = {"one"};
    selection.variant = "r.*";
    selection.axes = {{"factor", {"7"}}, {"not_of_toy", {"1"}}};
    selection.repetitions = 3;
    selection.cache = "cold";
    auto const cases = plan_cases(experiment, two_sweeps(), selection);
    EXPECT_EQ(names_of(cases), (std::vector<std::string>{"toy/right/cpu/factor:7/cache:cold",
                                                         "toy/right/cpu/count:64/factor:7/cache:cold"}));
    EXPECT_EQ(cases[0].repetitions, 3);
    EXPECT_TRUE(cases[0].exact_repetitions);
    selection.except = "ri.*";
    EXPECT_TRUE(plan_cases(experiment, two_sweeps(), selection).empty());
}

TEST(BenchPlan, MistakesAreNamed) {
    Experiment const experiment = toy::make_toy();
    auto const message = [&](auto const& change, std::vector<Sweep> const& sweeps) {
        Selection selection = on({Machine::cpu});
        change(selection);
        return message_of([&] { plan_cases(experiment, sweeps, selection); });
    };
    EXPECT_EQ(message([](Selection& s) { s.sweeps = {"oen"}; }, two_sweeps()),
              "unknown sweep of toy oen (not in the list) did you mean one?");
    EXPECT_EQ(message([](Selection& s) { s.variant = "rihgt"; }, two_sweeps()),
              "--variant rihgt matches nothing (no variant of toy has such a name) did you mean right?");
    EXPECT_EQ(message([](Selection& s) { s.variant = "("; }, two_sweeps()).rfind("invalid --variant (", 0), 0u);
    EXPECT_EQ(message([](Selection& s) { s.except = "["; }, two_sweeps()).rfind("invalid --except [", 0), 0u);
    EXPECT_EQ(message([](Selection& s) { s.except = "rihgt"; }, two_sweeps()),
              "--except rihgt matches nothing (no variant of toy has such a name) did you mean right?");
    EXPECT_EQ(message(
                  [](Selection& s) {
                      s.axes = {{"factor", {"0"}}};
                  },
                  two_sweeps()),
              "invalid factor=0 (must be from 1 to 100)");
    Sweep unknown_axis = two_sweeps()[0];
    unknown_axis.axes["facto"] = {"1"};
    EXPECT_EQ(message([](Selection&) {}, {unknown_axis}),
              "unknown axis facto (toy does not have it) did you mean factor?");
    Sweep unknown_variant = two_sweeps()[0];
    unknown_variant.variants = "lost";
    unknown_variant.machines = {"cpu"};
    EXPECT_NE(message([](Selection&) {}, {unknown_variant}).find("sweep one: variants lost matches nothing"),
              std::string::npos);
    Sweep unknown_exception = two_sweeps()[0];
    unknown_exception.except = "lost";
    unknown_exception.machines = {"cpu"};
    EXPECT_NE(message([](Selection&) {}, {unknown_exception}).find("sweep one: except lost matches nothing"),
              std::string::npos);
}

TEST(BenchPlan, ASweepForOnlyCudaIsValidInABuildWithoutCuda) {
    Experiment experiment = toy::make_toy();
    std::erase_if(experiment.variants, [](Variant const& variant) { return variant.machine == Machine::cuda; });
    Sweep sweep = two_sweeps()[0];
    sweep.variants = "for_nvcc_alone";
    EXPECT_TRUE(plan_cases(experiment, {sweep}, on({Machine::cpu})).empty());
}

TEST(BenchPlan, ShardsCoverTheUnitsOnce) {
    EXPECT_EQ(parse_shard("2/8").index, 2u);
    for (std::string const text : {"", "1", "1/", "/2", "2/2", "a/b", "1/2x", "0/0", "-1/2"}) {
        EXPECT_NE(message_of([&] { parse_shard(text); }), "no error") << text;
    }
    Experiment const experiment = toy::make_toy();
    for (std::string const units : {"0", "1", "31", "33", "1000000000000"}) {
        for (std::uint64_t const count : {1u, 2u, 7u, 40u}) {
            std::uint64_t next = 0;
            for (std::uint64_t index = 0; index < count; ++index) {
                Selection selection = on({Machine::cpu});
                selection.sweeps = {"two"};
                selection.axes = {{"count", {units}}};
                selection.shard = {index, count};
                auto const cases = plan_cases(experiment, two_sweeps(), selection);
                ASSERT_EQ(cases.at(0).problem.first_unit, next) << units << " " << index << "/" << count;
                next += cases[0].problem.units;
            }
            EXPECT_EQ(std::to_string(next), units);
        }
    }
}

TEST(BenchPlan, SettingsThatDoNotFitTheUsersValuesAreRefusedOnce) {
    Experiment experiment = toy::make_toy();
    experiment.check = [](Axes const& axes) {
        if (axes.integer("count") * axes.integer("factor") > 100)
            throw Error("too many", "more than 100", "take fewer");
    };
    std::vector<Sweep> const sweeps = parse_sweeps(
        R"({"sweeps": [{"name": "a", "presets": ["quick"], "variants": "scalar|right", "machines": ["cpu"],
                        "axes": {"count": [10, 33, 64]}, "cache": ["hot", "cold"]},
                       {"name": "b", "presets": ["quick"], "variants": "scalar", "machines": ["cpu"],
                        "axes": {"count": [33]}}]})",
        "sweeps.json");
    Selection selection = on({Machine::cpu});
    std::vector<RefusedSetting> refused;
    EXPECT_EQ(message_of([&] { plan_cases(experiment, sweeps, selection, &refused); }),
              "too many (more than 100) take fewer")
        << "the user gave no axis";
    selection.axes = {{"factor", {"2", "4"}}};
    EXPECT_EQ(message_of([&] { plan_cases(experiment, sweeps, selection); }), "too many (more than 100) take fewer")
        << "nobody asks for what is refused";
    EXPECT_EQ(names_of(plan_cases(experiment, sweeps, selection, &refused)),
              (std::vector<std::string>{
                  "toy/scalar/cpu/count:10/factor:2", "toy/right/cpu/count:10/factor:2",
                  "toy/scalar/cpu/count:10/factor:2/cache:cold", "toy/right/cpu/count:10/factor:2/cache:cold",
                  "toy/scalar/cpu/count:10/factor:4", "toy/right/cpu/count:10/factor:4",
                  "toy/scalar/cpu/count:10/factor:4/cache:cold", "toy/right/cpu/count:10/factor:4/cache:cold",
                  "toy/scalar/cpu/factor:2", "toy/right/cpu/factor:2", "toy/scalar/cpu/factor:2/cache:cold",
                  "toy/right/cpu/factor:2/cache:cold"}));
    Experiment unreadable = experiment;
    unreadable.check = [](Axes const&) { throw UnreadableInput("cannot read x"); };
    EXPECT_EQ(message_of([&] { plan_cases(unreadable, sweeps, selection, &refused); }), "cannot read x");
    ASSERT_EQ(refused.size(), 3u) << "33 x 4, which both sweeps have, 64 x 2 and 64 x 4";
    EXPECT_EQ(refused[0].axes.text("count"), "33");
    EXPECT_EQ(refused[0].axes.text("factor"), "4");
    EXPECT_EQ(refused[0].reason, "too many (more than 100) take fewer");
}

TEST(BenchPlan, CountsAreThoseOfThePlan) {
    Experiment const experiment = toy::make_toy();
    std::vector<Sweep> const sweeps = parse_sweeps(
        R"({"sweeps": [{"name": "a", "variants": "scalar|right|picky", "except": "picky", "machines": ["cpu"],
                        "axes": {"count": [33, 64], "style": ["plain", "fancy"]}, "cache": ["hot", "cold"],
                        "per_machine": {"cpu": {"count": [1, 2, 3]}}}]})",
        "sweeps.json");
    Selection selection = on({Machine::cpu});
    selection.sweeps = {"a"};
    EXPECT_EQ(count_cases(experiment, sweeps[0], Machine::cpu), plan_cases(experiment, sweeps, selection).size());
    EXPECT_EQ(count_cases(experiment, sweeps[0], Machine::cpu), 24u);
    EXPECT_EQ(count_cases(experiment, sweeps[0], Machine::emulator), 0u);
}

}  // namespace
}  // namespace lockstep::bench
