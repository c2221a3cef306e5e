// The options that `fast` chooses for a system: results are the oracle's in every order of lanes, and runs stop on
// request. Linked with the machine that runs it.

#include <chrono>
#include <thread>

#include "common/term_rewriting/workload.hpp"
#include "harness/simt/emulator/options.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/fast_options.hpp"

namespace lockstep::term_rewriting {
namespace {

using simt::emulator::LaneOrder;

class General : public testing::Test {
protected:
    void SetUp() override {
        if (!lockstep::tests::why_not_here().empty())
            GTEST_SKIP() << lockstep::tests::why_not_here();
    }
};

fast::Options chosen(System const& system) { return general_options(fast::traits_of(system), default_options()); }

struct Chosen {
    Workload workload;
    unsigned ramp_steps;
    unsigned repeats;
    unsigned loops;
};

std::vector<Chosen> chosen_workloads() {
    auto const of = [](char const* system, unsigned depth, unsigned elements) {
        Workload workload;
        workload.system = system;
        workload.depth = depth;
        workload.elements = elements;
        return workload;
    };
    std::vector<Chosen> workloads = {{of("mapped_list_of_lists", shortened ? 2 : 4, 4), 0, 8, 8},
                                     {of("transformation_tree", shortened ? 4 : 7, 1), 32, 8, 4}};
    if (!sanitized) {
        workloads.push_back({of("queens", 1, shortened ? 3 : 4), 0, 1, 8});
        workloads.push_back({of("mirrors", shortened ? 3 : 5, 3), 32, 1, 8});
        workloads.push_back({of("count", 1, 20), 0, 8, 8});
    }
    return workloads;
}

TEST_F(General, EveryOrderGivesTheOraclesResults) {
    for (Chosen const& of : chosen_workloads()) {
        System const system = system_of(of.workload);
        Terms terms;
        TermId const input = make_input(system, of.workload, terms);
        std::unique_ptr<Engine> const oracle = make_oracle(system);
        Ran const expected = run_engine(*oracle, terms, input);
        fast::Options options = chosen(system);
        EXPECT_EQ(options.ramp_steps, of.ramp_steps) << of.workload.system;
        EXPECT_EQ(options.repeats, of.repeats) << of.workload.system;
        EXPECT_EQ(options.loops, of.loops) << of.workload.system;
        options.cooperative = true;
        options.blocks = options.first_blocks = 3;
        options.block = 64;
        options.slice_rounds = 64;
        options.turns_startup = 2;
        options.turns_spreading = 4;
        options.turns_steady = 32;
        fast::FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
        for (LaneOrder const order :
             {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random, LaneOrder::unfair}) {
            simt::emulator::Options scope_options;
            scope_options.order = order;
            scope_options.seed = 7;
            simt::emulator::ScopedOptions const scope(scope_options);
            Ran const ran = run_engine(engine, terms, input);
            ASSERT_EQ(ran.outcome.end, End::finished) << of.workload.system;
            EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << of.workload.system;
            EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form))
                << of.workload.system;
        }
    }
}

TEST_F(General, StopsOnRequest) {
    System const system = parse_system(systems_folder + "endless_loop.trs", bench::read_file);
    fast::FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), chosen(system));
    engine.load(system.terms, system.inputs[0]);
    std::stop_source stop;
    Limits limits = test_limits();
    limits.stop = stop.get_token();
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the kernel runs by then
        stop.request_stop();
    });
    EXPECT_EQ(engine.run(limits).end, End::stopped);
    later.join();
    limits = test_limits();
    limits.rewrites = 1000;
    EXPECT_EQ(engine.run(limits).end, End::too_many_rewrites);
}

}  // namespace
}  // namespace lockstep::term_rewriting
