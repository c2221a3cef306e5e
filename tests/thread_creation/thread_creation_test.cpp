// No CPU variant creates a thread inside its time: after the first run of a case, run() creates none. This program
// replaces pthread_create and counts its calls.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <map>
#include <thread>

#include "common/term_rewriting/workload.hpp"
#include "experiments/all_experiments.hpp"
#include "harness/bench/plan.hpp"
#include "kernels/term_rewriting/race/racing_engine.hpp"

namespace {

std::atomic<unsigned> created_threads = 0;

}  // namespace

extern "C" int pthread_create(pthread_t* thread, pthread_attr_t const* attributes, void* (*start)(void*),
                              void* argument) noexcept {
    using Create = int (*)(pthread_t*, pthread_attr_t const*, void* (*)(void*), void*);
    static auto const create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    ++created_threads;
    return create(thread, attributes, start, argument);
}

namespace lockstep {
namespace {

// The threads that two runs create after a first one. A sample can consist of several runs if the case is repeatable.
unsigned threads_created_by_runs(bench::Case& made) {
    made.reset();
    made.run({});
    unsigned created = 0;
    for (bool const prepared : {true, false}) {
        if (prepared)
            made.reset();
        else if (!made.repeatable())
            break;
        unsigned const before = created_threads;
        made.run({});
        created += created_threads - before;
    }
    return created;
}

// The CPU cases of the preset `quick`.
std::vector<bench::PlannedCase> cases_of(bench::Experiment const& experiment) {
    bench::Selection selection;
    selection.machines = {bench::Machine::cpu};
    selection.machines_are_explicit = true;
    return bench::plan_cases(experiment, bench::read_sweeps("experiments/" + experiment.name + "/sweeps.json"),
                             selection);
}

class ThreadCreation : public testing::TestWithParam<bench::Experiment> {};

TEST_P(ThreadCreation, IsOutsideTheTimeOfEveryCpuVariant) {
    std::map<std::string, unsigned> runs;
    for (bench::Variant const& variant : GetParam().variants) {
        if (variant.machine == bench::Machine::cpu && variant.timed)
            runs[variant.name] = 0;
    }
    for (bench::PlannedCase const& planned : cases_of(GetParam())) {
        if (!planned.variant->timed || !planned.variant->unsupported_reason(planned.problem.axes).empty())
            continue;
        std::unique_ptr<bench::Case> const made = planned.variant->make(planned.problem);
        EXPECT_EQ(threads_created_by_runs(*made), 0u) << planned.name;
        ++runs[planned.variant->name];
    }
    for (auto const& [variant, count] : runs)
        EXPECT_GT(count, 0u) << variant << " was not run";
}

INSTANTIATE_TEST_SUITE_P(Experiments, ThreadCreation, testing::ValuesIn(all_experiments()),
                         [](auto const& parameter) { return parameter.param.name; });

// Both engines of a race run on threads that exist before it.
TEST(ThreadCreationInARace, IsOutsideTheRun) {
    using namespace term_rewriting;
    Workload workload;
    workload.system = "merge_sort";
    System const system = system_of(workload);
    auto const oracle = [&] { return make_engine(system, "oracle", "cpu"); };
    auto const engine = make_racing_engine({"first", oracle}, {"second", oracle}, {.head_start = 0, .alone = 0});
    load_workload(*engine, system, workload);
    for (int run = 0; run < 3; ++run) {
        engine->make_ready({});
        engine->prepare();
        unsigned const before = created_threads;
        EXPECT_EQ(engine->run({}).end, End::finished);
        EXPECT_EQ(created_threads, before);
    }
}

class OneThreadPerRun : public bench::Case {
public:
    explicit OneThreadPerRun(bool repeatable) : Case({}), repeatable_(repeatable) {}
    void reset() override {
        std::jthread([] {});
    }
    void run(simt::Stream) override {
        std::jthread([] {});
    }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const>) override { return {}; }
    bench::Work work() const override { return {}; }
    bool repeatable() const override { return repeatable_; }

private:
    bool repeatable_;
};

TEST(ThreadCreationOfAPlantedCase, IsFound) {
    OneThreadPerRun repeatable(true);
    EXPECT_EQ(threads_created_by_runs(repeatable), 2u);
    OneThreadPerRun once(false);
    EXPECT_EQ(threads_created_by_runs(once), 1u);
}

}  // namespace
}  // namespace lockstep
