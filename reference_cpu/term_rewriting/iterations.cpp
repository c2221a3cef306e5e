// The iterations of a workload, and the variant that records them: the parallelism that there is, without a GPU.

#include "reference_cpu/term_rewriting/iterations.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "common/term_rewriting/language/term_maker.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::term_rewriting {

namespace {

// A profile of more iterations is not recorded.
constexpr std::size_t longest_profile = 4096;

struct Counted {
    Schedule schedule;
    std::uint64_t digest;
};

Counted count_whole(System const& system, Workload const& workload, NormalForms normal_forms) {
    Terms terms;
    TermId const input = make_input(system, workload, terms);
    Scheduler scheduler(system, normal_forms);
    scheduler.add(terms, input);
    Terms normal_form;
    TermId const root = scheduler.normal_form(normal_form);
    return {scheduler.schedule(), digest_of(normal_form, root)};
}

using Lists = std::map<std::vector<unsigned>, std::uint64_t>;  // and how many there are of each

// Millions of lists are few different ones. The tree above them rewrites nothing, and only passes marks on.
Counted count_tree(System const& system, Workload const& workload, Lists const& lists, NormalForms normal_forms) {
    Scheduler scheduler(system, normal_forms);
    std::map<std::uint64_t, TermId> sorted;
    Terms tree;
    for (auto const& [values, copies] : lists) {
        Terms terms;
        TermMaker maker(system, terms);
        scheduler.add(terms, maker.make("Leaf", {maker.make("Sort", {maker.list(values)})}), copies);
        TermId const leaf = scheduler.normal_form(tree);
        sorted.emplace(digest_of(tree, leaf), leaf);
    }
    if (sorted.size() != 1)
        throw bench::Error("the lists are not sorted", "permutations of the same numbers have different normal forms");
    TermMaker maker(system, tree);
    TermId root = sorted.begin()->second;
    for (unsigned level = 0; level < workload.depth; ++level)
        root = maker.make("Node", {root, root});
    Schedule schedule = scheduler.schedule();
    if (normal_forms == NormalForms::marked_in_passes)
        schedule.iterations += workload.depth;
    return {std::move(schedule), digest_of(tree, root)};
}

std::string numbered(std::string const& name, std::size_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "_%05zu", number);
    return name + text;
}

void add_metrics(std::string const& suffix, std::string const& profile, Schedule const& schedule,
                 bench::Metrics& metrics) {
    double const iterations = static_cast<double>(schedule.iterations);
    metrics["iterations" + suffix] = iterations;
    metrics["max_redexes" + suffix] = static_cast<double>(schedule.max_redexes());
    metrics["average_parallelism" + suffix] =
        iterations > 0 ? static_cast<double>(schedule.rewrites()) / iterations : 0;
    metrics["iterations_at_most" + suffix] =
        static_cast<double>(std::ranges::count(schedule.redexes, schedule.max_redexes()));
    if (schedule.iterations > longest_profile)
        return;
    for (std::size_t i = 0; i < schedule.redexes.size(); ++i)
        metrics[numbered(profile, i + 1)] = static_cast<double>(schedule.redexes[i]);
}

class IterationsCase : public bench::Case {
public:
    explicit IterationsCase(bench::Problem const& problem) : Case(problem), workload_(read_workload(problem)) {}

    void reset() override { found_ = {}; }
    void run(simt::Stream) override { found_ = count_iterations(workload_); }

    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return std::vector<bench::UnitResult>(units.size(),
                                              unit_result(found_.digest, found_.marked_in_passes.applications));
    }

    bench::Work work() const override {
        bench::Work work;
        work.items = static_cast<double>(found_.known_at_once.rewrites());
        return work;
    }

    // Without a suffix: a term is known to be normal as soon as it is, so these count the available parallelism.
    // `_marked`: the paper's passes.
    bench::Metrics metrics() const override {
        bench::Metrics metrics;
        metrics["rewrites"] = static_cast<double>(found_.known_at_once.rewrites());
        metrics["lists"] = static_cast<double>(lists_of(workload_));
        add_metrics("", "iteration_redexes", found_.known_at_once, metrics);
        add_metrics("_marked", "pass_redexes", found_.marked_in_passes, metrics);
        return metrics;
    }

private:
    Workload workload_;
    Iterations found_;
};

}  // namespace

Iterations count_iterations(Workload const& workload) {
    System const system = system_of(workload);
    Lists lists;
    if (workload.system == "tree_merge_sort")
        lists = distinct_lists(workload);
    auto const counted = [&](NormalForms normal_forms) {
        return lists.empty() ? count_whole(system, workload, normal_forms)
                             : count_tree(system, workload, lists, normal_forms);
    };
    Counted at_once = counted(NormalForms::known_at_once);
    Counted marked = counted(NormalForms::marked_in_passes);
    if (at_once.digest != marked.digest || at_once.schedule.applications != marked.schedule.applications)
        throw bench::Error("the two counts differ", "marking normal forms later changed what is rewritten");
    return {std::move(at_once.schedule), std::move(marked.schedule), marked.digest};
}

namespace cpu {

void add_iterations(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "iterations", bench::Role::reference, "oracle",
        "what can be rewritten in each iteration, each distinct redex looked at once",
        [](bench::Problem const& problem) { return std::make_unique<IterationsCase>(problem); },
        [](bench::Axes const& axes) {
            if (axes.text("system") == "quick_sort")
                return std::string("a condition is no step of its own: iterations are not counted");
            bool const many = axes.text("system") == "binary_search" && axes.integer("depth") > 16;
            return many ? std::string("there are as many redexes as rewrites: at most depth 16") : std::string();
        }));
    experiment.variants.back().timed = false;
}

}  // namespace cpu

}  // namespace lockstep::term_rewriting
