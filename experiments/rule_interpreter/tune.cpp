#include "experiments/rule_interpreter/tune.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "common/rule_interpreter/workload.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/stopwatch.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"

namespace lockstep::rule_interpreter {

namespace {

constexpr unsigned tuned_range = 1024;  // values per state
constexpr unsigned timed_runs = 5;

QueueConstant constant_named(std::string const& name) {
    return *std::find_if(all_queue_constants.begin(), all_queue_constants.end(),
                         [&](QueueConstant const& constant) { return constant.name == name; });
}

bench::Variant const& variant_of(bench::Experiment const& experiment, simt::Machine machine, std::string const& name) {
    auto const found =
        std::find_if(experiment.variants.begin(), experiment.variants.end(),
                     [&](bench::Variant const& variant) { return variant.name == name && variant.machine == machine; });
    if (found == experiment.variants.end())
        throw bench::Error("cannot tune",
                           "variant " + name + " does not exist on machine " + std::string(simt::to_string(machine)));
    return *found;
}

bench::Problem problem_at(bench::Experiment const& experiment, Contest const& contest, unsigned value) {
    bench::Problem problem;
    problem.axes = bench::default_axes(experiment);
    problem.seed = 1;
    bench::set_axis(experiment, problem.axes, "range", std::to_string(tuned_range));
    for (auto const& [axis, text] : contest.axes)
        bench::set_axis(experiment, problem.axes, axis, text);
    bench::set_axis(experiment, problem.axes, contest.varied, std::to_string(value));
    problem.units = experiment.units(problem.axes);
    experiment.check(problem.axes);
    return problem;
}

// Constants count slots of an evaluation, or instances.
double place_of(Contest const& contest, bench::Problem const& problem) {
    Job const job = job_of(problem);
    return contest.varied == "states" ? static_cast<double>(job.states * job.workload.range)
                                      : slots_per_evaluation(job.workload);
}

// The least time of some runs, after one that warms up.
double min_seconds(bench::Stopwatch& stopwatch, bench::Variant const& variant, bench::Problem const& problem) {
    std::unique_ptr<bench::Case> const made = variant.make(problem);
    double least = std::numeric_limits<double>::infinity();
    for (unsigned run = 0; run <= timed_runs; ++run) {
        made->reset();
        stopwatch.synchronize();
        double const seconds = stopwatch.seconds([&] { made->run(stopwatch.stream()); }, 1);
        if (run != 0)
            least = std::min(least, seconds);
    }
    return least;
}

}  // namespace

std::vector<Contest> contests(double enough_warps) {
    std::string const half = std::to_string(static_cast<std::uint64_t>(std::max(1.0, enough_warps / 2)));
    std::string const twice = std::to_string(static_cast<std::uint64_t>(2 * enough_warps));
    std::vector<unsigned> const loads = {50, 100, 150, 200, 250, 300, 350, 400, 500, 700};
    return {
        {constant_named("few_instances"),
         "fused",
         "flat_queue",
         {{"load", "20"}},
         "states",
         {4, 8, 16, 32, 64, 128, 256, 512}},
        {constant_named("fused_slots"),
         "fused",
         "refill_queue",
         {{"rules", "several"}, {"states", twice}},
         "load",
         {5, 10, 20, 40, 60, 80, 120, 200, 400}},
        {constant_named("list_slots"), "flat_queue", "list", {{"states", half}}, "load", loads},
        {constant_named("always_list_slots"), "flat_queue", "list", {{"states", twice}}, "load", loads},
        {constant_named("scalar_list_slots"),
         "queue",
         "list",
         {{"states", twice}, {"shape", "1x1x1"}},
         "load",
         {200, 400, 800, 1200, 1600, 2000, 3000, 4000}},
    };
}

double crossing(std::span<Measured const> jobs) {
    auto const loss = [&](std::size_t split) {
        double sum = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i)
            sum += (i < split ? jobs[i].before : jobs[i].after) / std::min(jobs[i].before, jobs[i].after);
        return sum;
    };
    std::size_t best = 0;
    double least = loss(0);
    for (std::size_t split = 1; split <= jobs.size(); ++split) {
        double const here = loss(split);
        if (here < least) {
            best = split;
            least = here;
        }
    }
    if (best == 0)
        return jobs.front().place / 2;
    if (best == jobs.size())
        return jobs.back().place * 2;
    return std::round(std::sqrt(jobs[best - 1].place * jobs[best].place));
}

QueueConstants tune(bench::Experiment const& experiment, simt::Machine machine, QueueConstants const& from,
                    SecondsOf const& seconds_of, std::function<void(QueueConstant const&, double)> const& told) {
    QueueConstants constants = from;
    for (Contest const& contest : contests(from.enough_warps)) {
        bench::Variant const& before = variant_of(experiment, machine, contest.before);
        bench::Variant const& after = variant_of(experiment, machine, contest.after);
        std::vector<Measured> jobs;
        for (unsigned const value : contest.values) {
            bench::Problem const problem = problem_at(experiment, contest, value);
            jobs.push_back({place_of(contest, problem), seconds_of(before, problem), seconds_of(after, problem)});
        }
        constants.*contest.constant.value = std::max(1.0, crossing(jobs));
        told(contest.constant, constants.*contest.constant.value);
    }
    return constants;
}

int tune_command(bench::Experiment const& experiment) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty())
        throw bench::Error("cannot tune", "no CUDA device: " + list.reason, "Run this on the GPU that it is for.");
    simt::DeviceInfo const& device = list.devices.front();
    std::unique_ptr<bench::Stopwatch> const stopwatch = bench::make_stopwatch(simt::Machine::cuda);
    QueueConstants const defaults = default_constants(device);
    std::printf("%s\n  enough_warps %g (of the device)\n  loading_slots %g (of the device)\n", device.name.c_str(),
                defaults.enough_warps, defaults.loading_slots);
    // The variants that are timed do not read the file that is written here: it may not exist yet.
    use_queue_constants(defaults);
    QueueConstants const constants = tune(
        experiment, simt::Machine::cuda, defaults,
        [&](bench::Variant const& variant, bench::Problem const& problem) {
            return min_seconds(*stopwatch, variant, problem);
        },
        [](QueueConstant const& constant, double value) {
            std::printf("  %s %g\n", constant.name, value);
            std::fflush(stdout);
        });
    std::filesystem::path const path = tuning_file(device.name);
    write_tuning(path, device.name, constants);
    std::printf("written to %s\n", path.c_str());
    return 0;
}

}  // namespace lockstep::rule_interpreter
