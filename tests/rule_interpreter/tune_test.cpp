// Tuning: contests find the constants of a simulated GPU, and a tuning file is read strictly.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "experiments/rule_interpreter/experiment.hpp"
#include "experiments/rule_interpreter/tune.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "kernels/rule_interpreter/divisor.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

TEST(Tuning, ACrossingLosesLeast) {
    using Jobs = std::vector<Measured>;
    EXPECT_EQ(crossing(Jobs{{100, 1, 2}, {400, 2, 1}}), 200);
    EXPECT_EQ(crossing(Jobs{{100, 1, 2}, {200, 1, 2}}), 400);
    EXPECT_EQ(crossing(Jobs{{100, 2, 1}, {200, 2, 1}}), 50);
    EXPECT_EQ(crossing(Jobs{{8, 3, 1}}), 4);
    // A job on the wrong side costs little and does not move it.
    EXPECT_EQ(crossing(Jobs{{1, 1, 2}, {4, 1.01, 1}, {16, 1, 2}, {64, 2, 1}}), 32);
}

TEST(Tuning, ContestsFindTheConstantsOfASimulatedGpu) {
    bench::Experiment const experiment = make_experiment();
    QueueConstants wanted;
    wanted.enough_warps = 4096;
    wanted.list_slots = 1800;
    wanted.always_list_slots = 3600;
    wanted.scalar_list_slots = 900;
    wanted.fused_slots = 100;
    wanted.few_instances = 100000;
    auto const seconds = [&](bench::Variant const& variant, bench::Problem const& problem) {
        Job const job = job_of(problem);
        Workload const& w = job.workload;
        double const slots = slots_per_evaluation(w);
        if (variant.name == "fused")
            return w.base == RuleBase::several ? slots / wanted.fused_slots
                                               : static_cast<double>(job.states * w.range) / wanted.few_instances;
        if (variant.name != "list")
            return 1.0;
        double const at = w.shape == Shape(1)                                     ? wanted.scalar_list_slots
                          : static_cast<double>(job.states) < wanted.enough_warps ? wanted.list_slots
                                                                                  : wanted.always_list_slots;
        return at / slots;
    };
    std::vector<std::string> told;
    QueueConstants const found = tune(experiment, simt::Machine::emulator, {.enough_warps = 4096}, seconds,
                                      [&](QueueConstant const& constant, double) { told.push_back(constant.name); });
    EXPECT_EQ(told.size(), all_queue_constants.size() - 2) << "two are the device's";
    for (QueueConstant const& constant : all_queue_constants) {
        double const ratio = found.*constant.value / (wanted.*constant.value);
        EXPECT_TRUE(ratio > 0.6 && ratio < 1.7) << constant.name << " " << found.*constant.value;
    }
}

TEST(Tuning, TheConstantsDecideTheChoice) {
    Job job;
    job.states = 5000;
    job.workload.range = 1024;
    job.workload.load = 200;
    double const slots = slots_per_evaluation(job.workload);
    EXPECT_EQ(choose(job, LayoutName::a, {.always_list_slots = slots}), Choice::list);
    EXPECT_EQ(choose(job, LayoutName::a, {.list_slots = slots, .always_list_slots = 1e9}), Choice::list);
    EXPECT_EQ(choose(job, LayoutName::a, {.enough_warps = 4096, .list_slots = slots, .always_list_slots = 1e9}),
              Choice::flat_queue);
    EXPECT_EQ(choose(job, LayoutName::a, {.few_instances = 1e9}), Choice::fused);
    job.workload.enabled_percent = 1;
    EXPECT_EQ(choose(job, LayoutName::a, {.list_slots = slots, .always_list_slots = 1e9}), Choice::flat_queue)
        << "a second launch for few enabled values";
    job.states = 16;
    EXPECT_GT(plan_queue(job, 0, 0, 0).warps_per_state, plan_queue(job, 0, 0, 0, {.enough_warps = 64}).warps_per_state);
}

simt::DeviceInfo h200() {
    simt::DeviceInfo device;
    device.multiprocessors = 132;
    device.max_threads_per_multiprocessor = 2048;
    device.clock_khz = 1980000;
    device.memory_clock_khz = 3201000;
    device.memory_bus_bits = 6144;
    return device;
}

TEST(Tuning, WhatADeviceReportsReplacesTheDefaultsOfAnH200) {
    EXPECT_EQ(default_constants(h200()).enough_warps, QueueConstants{}.enough_warps);
    EXPECT_NEAR(default_constants(h200()).loading_slots, QueueConstants{}.loading_slots, 1);
    simt::DeviceInfo small = h200();
    small.multiprocessors = 24;
    small.max_threads_per_multiprocessor = 1536;
    EXPECT_EQ(default_constants(small).enough_warps, 1024);
    EXPECT_EQ(default_constants({}), QueueConstants{}) << "a device that reports nothing";
}

TEST(Tuning, FewStatesInLayoutBHaveNoQueue) {
    Job job;
    job.workload.range = 1024;
    job.workload.load = 20;
    for (std::uint64_t const states : {1u, 32u, 128u}) {
        job.states = states;
        EXPECT_EQ(choose(job, LayoutName::b), Choice::algorithm1) << states;
    }
    job.states = 512;
    EXPECT_EQ(choose(job, LayoutName::b), Choice::queue);
    job.states = 128;
    job.workload.load = 200;
    EXPECT_EQ(choose(job, LayoutName::b), Choice::queue);
}

TEST(Tuning, ShortEvaluationsBypassTheQueueFromAThirdEnabledOn) {
    Job job;
    job.states = 16384;
    job.workload.load = 20;
    job.workload.shape = Shape(1);
    unsigned const scalar = plan_queue(job, 0, 0, 0).bypass_threshold;
    EXPECT_LT(scalar, 32 / 2) << "half of the values enabled";
    EXPECT_GT(scalar, 32 / 4) << "a quarter";
    job.workload.shape = Shape(2);
    EXPECT_GT(plan_queue(job, 0, 0, 0).bypass_threshold, 32 * 2 / 3) << "two thirds";
    for (LayoutName const layout : {LayoutName::a, LayoutName::c}) {
        job.workload.shape = Shape(1);
        EXPECT_EQ(choose(job, layout), Choice::queue);
    }
    job.states = 2048;
    EXPECT_EQ(choose(job, LayoutName::c), Choice::algorithm1) << "few values";
    EXPECT_GT(plan_queue(job, 0, 0, 0).bypass_threshold, 32 / 2) << "all warps resident at once";
}

TEST(Tuning, WarpsWithFewEnabledValuesHaveMoreOfThem) {
    Job job;
    job.states = 16384;
    job.workload.range = 1024;
    job.workload.load = 20;
    job.workload.shape = Shape(1);
    unsigned const many = plan_queue(job, 0, 0, 0).warps_per_state;
    job.workload.enabled_percent = 15;
    EXPECT_EQ(plan_queue(job, 0, 0, 0).warps_per_state, many);
    job.workload.enabled_percent = 5;
    EXPECT_EQ(plan_queue(job, 0, 0, 0).warps_per_state, many / 2);
    job.workload.enabled_percent = 0;
    EXPECT_EQ(plan_queue(job, 0, 0, 0).warps_per_state, 1);
    EXPECT_EQ(plan_queue(job, 8, 0, 0).warps_per_state, 8) << "a given number stays";
    job.states = 2048;
    EXPECT_EQ(plan_queue(job, 0, 0, 0).warps_per_state, many) << "fewer would leave multiprocessors idle";
}

// Fused rules evaluate all values, and a queue only the enabled ones.
TEST(Tuning, SeveralRulesAreFusedTheLongerTheMoreAreEnabled) {
    Job job;
    job.states = 12000;
    job.workload.base = RuleBase::several;
    job.workload.range = 900;
    auto const fused = [&](int percent, unsigned load) {
        job.workload.enabled_percent = percent;
        job.workload.load = load;
        return choose(job, LayoutName::a) == Choice::fused;
    };
    for (int const percent : {0, 3, 40, 95})
        EXPECT_TRUE(fused(percent, 20)) << percent;
    EXPECT_FALSE(fused(3, 90));
    EXPECT_TRUE(fused(40, 60));
    EXPECT_FALSE(fused(40, 90));
    EXPECT_TRUE(fused(95, 90));
    EXPECT_FALSE(fused(95, 120));
    job.states = 777;
    EXPECT_TRUE(fused(40, 90)) << "the last rounds of a queue are a large part";
    EXPECT_FALSE(fused(40, 120));
    EXPECT_TRUE(fused(95, 120));
    EXPECT_FALSE(fused(95, 150));
    job.states = 12000;
    job.workload.range = 901;
    EXPECT_TRUE(fused(40, 90)) << "a queue per rule costs more";
    for (int const percent : {3, 40, 95})
        EXPECT_FALSE(fused(percent, 200)) << percent;
}

// The first one is that of a single run. The others are tried where runs are repeated, each once.
TEST(Tuning, TheChoiceComesFirstAmongThoseThatMayWin) {
    using Choices = std::vector<Choice>;
    Job job;
    job.states = 1700;
    job.workload.range = 2052;
    job.workload.load = 3;
    job.workload.enabled_percent = 80;
    EXPECT_EQ(choices(job, LayoutName::a),
              (Choices{Choice::queue, Choice::flat_queue, Choice::fused, Choice::algorithm1}));
    job.workload.load = 200;
    EXPECT_EQ(choices(job, LayoutName::a), (Choices{Choice::flat_queue, Choice::queue, Choice::fused, Choice::list}));
    job.workload.base = RuleBase::several;
    EXPECT_EQ(choices(job, LayoutName::a), (Choices{Choice::refill_queue, Choice::fused, Choice::queue}));
    job.workload.range = 2053;
    EXPECT_EQ(choices(job, LayoutName::a),
              (Choices{choose(job, LayoutName::a), Choice::fused, Choice::refill_queue, Choice::block_queue}));
    job.workload.base = RuleBase::accesses;
    EXPECT_EQ(choices(job, LayoutName::c).size(), 2u);
    job.workload.base = RuleBase::sudoku;
    EXPECT_EQ(choices(job, LayoutName::a), Choices{Choice::bit_board});
}

// The first one that is not supported becomes the queue, which is then no further candidate.
TEST(Tuning, NoChoiceIsTriedTwice) {
    using Choices = std::vector<Choice>;
    auto const without = [](std::vector<Choice> const& missing, Choices const& wanted) {
        return supported_choices(
            wanted, [&](Choice choice) { return std::find(missing.begin(), missing.end(), choice) == missing.end(); });
    };
    Choices const wanted = {Choice::fused, Choice::refill_queue, Choice::queue, Choice::block_queue};
    EXPECT_EQ(without({}, wanted), wanted);
    EXPECT_EQ(without({Choice::fused}, wanted), (Choices{Choice::queue, Choice::refill_queue, Choice::block_queue}));
    EXPECT_EQ(without({Choice::refill_queue, Choice::block_queue}, wanted), (Choices{Choice::fused, Choice::queue}));
    EXPECT_EQ(without({Choice::fused}, {Choice::fused}), Choices{Choice::queue});
    // Layout B has no `fused`, which is the choice for short rules.
    Job job;
    job.states = 12000;
    job.workload.range = 900;
    job.workload.load = 3;
    job.workload.base = RuleBase::several;
    ASSERT_EQ(choices(job, LayoutName::b).front(), Choice::fused);
    EXPECT_EQ(without({Choice::fused}, choices(job, LayoutName::b)), (Choices{Choice::queue, Choice::refill_queue}));
}

TEST(Tuning, FewValuesOfWhichNearlyAllAreEnabledHaveNoQueue) {
    Job job;
    job.states = 777;
    job.workload.range = 900;
    job.workload.load = 90;
    job.workload.enabled_percent = 95;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::fused);
    EXPECT_EQ(choose(job, LayoutName::b), Choice::queue);
    job.workload.enabled_percent = 50;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::flat_queue);
}

// `auto` never chooses a variant that does not support the job.
TEST(Tuning, QueuesThatLoadFourValuesAtATimeNeedARangeThatFourDivides) {
    Job job;
    job.states = 16384;
    job.workload.load = 200;
    for (unsigned const range : {1001u, 1002u, 1003u}) {
        job.workload.range = range;
        job.workload.base = RuleBase::synthetic;
        EXPECT_EQ(choose(job, LayoutName::a), Choice::queue) << range;
        job.workload.base = RuleBase::several;
        EXPECT_EQ(choose(job, LayoutName::a), Choice::block_queue) << range;
    }
    job.workload.range = 1000;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::refill_queue);
    job.workload.base = RuleBase::synthetic;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::flat_queue);
    for (LayoutName const layout : {LayoutName::b, LayoutName::c, LayoutName::c_group, LayoutName::c_divided})
        EXPECT_EQ(choose(job, layout), Choice::queue);
    job.workload.shape = Shape(4, 8, 2);
    job.workload.load = 20;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::queue);
}

TEST(Tuning, WarpsOfTheFlatQueueHaveFewerValuesWhereThatFillsTheGpu) {
    Job job;
    job.workload.range = 1024;
    job.states = 16384;
    EXPECT_EQ(values_per_flat_warp(job), 2048);
    job.states = 64;
    EXPECT_EQ(values_per_flat_warp(job), 256);
    job.states = 683;
    job.workload.enabled_percent = 1;
    EXPECT_EQ(values_per_flat_warp(job), 2048) << "fewer would leave most lanes of the only round idle";
}

TEST(Tuning, WarpsOfTheFlatQueueHaveFewValuesWhereMemoryIsTheBound) {
    Job job;
    job.workload.range = 4096;
    job.states = 16384;
    EXPECT_EQ(values_per_flat_warp(job, default_constants(h200())), 1536);
    simt::DeviceInfo h100 = h200();
    h100.memory_clock_khz = 2619000;
    h100.memory_bus_bits = 5120;
    QueueConstants const slower_memory = default_constants(h100);
    EXPECT_EQ(values_per_flat_warp(job, slower_memory), 512);
    job.workload.load = 200;
    EXPECT_EQ(values_per_flat_warp(job, slower_memory), 1536) << "evaluations take longer than loads";
    job.workload.load = 20;
    job.states = 4096;
    EXPECT_EQ(values_per_flat_warp(job, slower_memory), 2048) << "an L2 cache may hold the array";
}

TEST(Tuning, RemaindersByMultiplicationAreExact) {
    for (unsigned const divisor :
         {2u, 3u, 4u, 7u, 900u, 1023u, 1024u, 1025u, 65535u, 65536u, 0x7FFFFFFEu, 0x7FFFFFFFu}) {
        cpu::Divisor const by(divisor);
        for (unsigned const near : {0u, divisor, 5 * (divisor >> 3), 0x7FFFFFFFu / divisor * divisor, 0x7FFFFFFFu}) {
            for (unsigned n = near < 2 ? 0 : near - 2; n <= near + 2 && n < 0x80000000u; ++n) {
                ASSERT_EQ(by.quotient(n), n / divisor) << n << " / " << divisor;
                ASSERT_EQ(by.remainder(n), n % divisor) << n << " % " << divisor;
            }
        }
    }
}

TEST(Tuning, WarpsShareAStateOfTheRefillQueueWhereStatesAreFew) {
    Job job;
    job.workload.range = 900;
    job.states = 12000;
    EXPECT_EQ(refill_warps_per_state(job), 1);
    job.states = 777;
    EXPECT_EQ(refill_warps_per_state(job), 4);
    job.workload.range = 128;
    EXPECT_EQ(refill_warps_per_state(job), 1) << "a warp has at least a tile";
}

// The flat queue has no bypass.
TEST(Tuning, ShortEvaluationsTakeTheFlatQueueWhereFewValuesAreEnabled) {
    Job job;
    job.states = 12000;
    job.workload.range = 900;
    auto const choice = [&](int percent, LayoutName layout = LayoutName::a) {
        job.workload.enabled_percent = percent;
        return choose(job, layout);
    };
    job.workload.load = 7;
    EXPECT_EQ(choice(3), Choice::flat_queue);
    EXPECT_EQ(choice(3, LayoutName::c), Choice::queue);
    EXPECT_EQ(choice(40), Choice::queue);
    job.workload.shape = Shape(1);
    job.workload.load = 20;
    EXPECT_EQ(choice(50), Choice::queue);
    job.states = 777;
    EXPECT_EQ(choice(40), Choice::flat_queue);
    EXPECT_EQ(choice(40, LayoutName::c), Choice::algorithm1);
    EXPECT_EQ(choice(50), Choice::algorithm1) << "a little slower, but faster where no cache holds the values";
    job.workload.load = 200;
    EXPECT_EQ(choice(50), Choice::flat_queue);
}

// The queue evaluates full warps whichever values are enabled, so that little is left to gain without it.
TEST(Tuning, OnlyAllValuesEnabledMakeLongEvaluationsFused) {
    Job job;
    job.states = 16384;
    job.workload.load = 200;
    for (int const percent : {50, 90}) {
        job.workload.enabled_percent = percent;
        EXPECT_EQ(choose(job, LayoutName::a), Choice::flat_queue) << percent;
    }
    job.workload.enabled_percent = 100;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::fused);
    EXPECT_EQ(choose(job, LayoutName::c), Choice::queue);
    job.workload.load = 7;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::algorithm1);
    job.workload.load = 500;
    EXPECT_EQ(choose(job, LayoutName::a), Choice::list);
}

// `--tune` writes the file that LOCKSTEP_TUNING names, so what it times must not read that file.
TEST(Tuning, ConstantsInUseReplaceTheFile) {
    use_queue_constants({.list_slots = 7});
    EXPECT_EQ(queue_constants(simt::Machine::cuda).list_slots, 7);
    EXPECT_EQ(queue_constants(simt::Machine::emulator), QueueConstants{});
}

TEST(Tuning, AFileIsReadAsItWasWritten) {
    lockstep::tests::TemporaryFolder const folder;
    std::filesystem::path const path = folder.path() / "tuning.json";
    QueueConstants const constants = {.enough_warps = 2048, .list_slots = 1234.5, .few_instances = 1e6};
    for (char const* const device : {"NVIDIA H200", "a \"b\" \\ c"}) {
        write_tuning(path, device, constants);
        EXPECT_EQ(read_tuning(path, device), constants);
    }
}

TEST(Tuning, AWrongFileGetsOneLine) {
    lockstep::tests::TemporaryFolder const folder;
    std::filesystem::path const path = folder.path() / "tuning.json";
    write_tuning(path, "GPU", {});
    std::string const right = bench::read_file(path);
    auto const error = [&](std::string const& text) -> std::string {
        bench::write_file_atomically(path, text);
        try {
            read_tuning(path, "GPU");
        } catch (bench::Error const& found) {
            return found.what();
        }
        return "no error";
    };
    auto const with = [&](std::string const& from, std::string const& to) {
        std::string text = right;
        return error(text.replace(text.find(from), from.size(), to));
    };
    auto const has = [](std::string const& text, char const* part) { return text.find(part) != std::string::npos; };
    EXPECT_EQ(error(right), "no error");
    EXPECT_TRUE(has(with("\"GPU\"", "\"GPV\""), "it is of GPV, and the device is GPU"));
    EXPECT_TRUE(has(with("\"device\"", "\"devise\""), "its only text must be the name of the device"));
    EXPECT_TRUE(has(with("72,", "\"64\","), "its only text must be"));
    EXPECT_TRUE(has(with("72,", "0,"), "fused_slots is 0, and must be from 1 to 1e9"));
    EXPECT_TRUE(has(with("72,", "-3,"), "fused_slots is -3"));
    EXPECT_TRUE(has(with("72,", "1e10,"), "must be from 1 to 1e9"));
    EXPECT_TRUE(has(with("72,", "[64],"), "the value of fused_slots is neither a number nor a text"));
    EXPECT_TRUE(has(with("72,", "70, \"fused_slot\": 3,"), "unknown constant fused_slot"));
    EXPECT_TRUE(has(with("fused_slots", "fused_slot"), "fused_slots is missing"));
    EXPECT_TRUE(has(with("}", ""), "does not parse"));
    EXPECT_TRUE(has(error("[]"), "it is not a JSON object"));
    EXPECT_TRUE(has(error(""), "does not parse"));
    std::filesystem::remove(path);
    EXPECT_THROW(read_tuning(path, "GPU"), bench::Error);
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
