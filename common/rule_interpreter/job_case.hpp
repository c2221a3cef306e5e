#pragma once
// Host side of the interpreters: a job's states in device memory in a layout, the launch, the results. For `.cu` files,
// after their kernels.

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "common/rule_interpreter/state_memory.hpp"
#include "common/rule_interpreter/sudoku.hpp"
#include "common/rule_interpreter/sudoku_rules.hpp"
#include "common/rule_interpreter/synthetic_rules.hpp"
#include "common/rule_interpreter/workload.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/bench/parallel_chunks.hpp"
#include "harness/bench/stored_case.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

using Kernel = void (*)(Parameters);

// Launch of one variant. Several kernels: one per rule, launched in sequence.
struct LaunchPlan {
    std::string name;
    std::vector<Kernel> kernels;
    simt::LaunchShape shape;
    Parameters settings;  // states_per_group, warps_per_state, states_per_warp, bypass_threshold
};

class JobCase : public bench::LOCKSTEP_MACHINE::StoredCase {
public:
    JobCase(Job const& job, LayoutName layout, LaunchPlan plan)
        : StoredCase(bench::Problem{{}, job.seed, job.first_state, job.states}, words_per_result(job.workload.base)),
          job_(job),
          layout_(layout),
          plan_(std::move(plan)),
          last_change_(static_cast<std::size_t>(job.states)) {
        Workload const& w = job_.workload;
        parameters_ = plan_.settings;
        parameters_.states = static_cast<unsigned>(job.states);
        parameters_.load = w.load;
        parameters_.accesses = w.accesses;
        parameters_.passes = sudoku() ? w.bound : w.steps;
        parameters_.until = w.until;
        parameters_.last_change = last_change_.data();
        for (unsigned const range : column_ranges(w))
            add_column(range);
        if (sudoku())
            upload_puzzles();
        else
            fill_values(parameters_, layout_, value_column, job_.draw(), job_.first_state);
        if (w.until == Until::cycle) {
            signatures_ = simt::LOCKSTEP_MACHINE::Buffer<unsigned long long>(last_change_.size() * max_period);
            periods_ = simt::LOCKSTEP_MACHINE::Buffer<unsigned>(last_change_.size());
            parameters_.signatures = signatures_.data();
            parameters_.periods = periods_.data();
        }
    }

    void reset() override {
        StoredCase::reset();
        last_change_.fill_bytes(0);
        if (!sudoku()) {
            fill_words(parameters_, layout_, result_column, result_unset);
            return;
        }
        scatter_rows(parameters_, layout_, candidate_column, rows_[0].data());
        scatter_rows(parameters_, layout_, placed_column, rows_[1].data());
        fill_words(parameters_, layout_, positions_column, 0);
        fill_words(parameters_, layout_, pending_column, nothing_written);
    }

    void run(simt::Stream stream) override {
        summarised_ = false;
        if (job_.states != 0)
            launch_all(parameters_, stream);
    }

    bench::Work work() const override { return work_of(job_); }
    // The other rule bases change what they read.
    bool repeatable() const override {
        return job_.workload.base == RuleBase::synthetic || job_.workload.base == RuleBase::accesses;
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        std::vector<simt::KernelAttributes> all;
        for (Kernel const kernel : plan_.kernels)
            all.push_back(simt::LOCKSTEP_MACHINE::attributes(plan_.name.c_str(), kernel, plan_.shape));
        return all;
    }

    // Synthetic rule: whether each pass evaluated every enabled value exactly once, and the share of lanes that
    // evaluate.
    bench::Metrics metrics() const override {
        auto& self = const_cast<JobCase&>(*this);  // launches again, with the same results
        return sudoku() ? self.outcome_metrics() : self.lane_metrics();
    }

protected:
    virtual void launch_all(Parameters const& p, simt::Stream stream) {
        for (Kernel const kernel : plan_.kernels)
            launch_one(kernel, p, stream);
    }
    void launch_one(Kernel kernel, Parameters const& p, simt::Stream stream) {
        simt::LOCKSTEP_MACHINE::launch(plan_.name.c_str(), kernel, plan_.shape, stream, p);
    }
    LaunchPlan const& plan() const { return plan_; }
    Job const& job() const { return job_; }

private:
    bool sudoku() const { return job_.workload.base == RuleBase::sudoku; }

    void add_column(unsigned range) {
        unsigned long long const words =
            words_stored(layout_, job_.states, std::max(1u, parameters_.states_per_group), range);
        if (words >= 1ull << 31) {
            throw bench::Error("states do not fit",
                               "a column takes " + std::to_string(words) + " words, the limit is 2^31 - 1",
                               "Use --shard, or fewer states.");
        }
        columns_.emplace_back(static_cast<std::size_t>(words));
        parameters_.columns[columns_.size() - 1] = columns_.back().data();
        parameters_.range[columns_.size() - 1] = range;
    }

    // Calls work(state) for every state, on all cores if there are many.
    template <class Work>
    void for_each_state(Work const& work) const {
        constexpr std::size_t min_per_core = 1024;
        bench::parallel_for(static_cast<std::size_t>(job_.states), min_per_core, work);
    }

    void upload_puzzles() {
        std::vector<unsigned> candidates(static_cast<std::size_t>(job_.states) * cells);
        std::vector<unsigned> placed(candidates.size());
        for_each_state([&](std::size_t state) {
            std::size_t at = state * cells;
            for (std::uint8_t const digit : puzzle_of(job_, job_.first_state + state)) {
                placed[at] = digit == 0 ? 0 : 1u << (digit - 1);
                candidates[at] = digit == 0 ? all_digits : placed[at];
                ++at;
            }
        });
        for (std::vector<unsigned> const* const words : {&candidates, &placed}) {
            rows_.emplace_back(words->size());
            rows_.back().upload(*words);
        }
    }

    void complete() override {
        if (std::exchange(summarised_, true))
            return;
        if (!sudoku()) {
            summarise(parameters_, layout_, result_column, result_unset, output().data());
            return;
        }
        std::vector<unsigned> const candidates = rows_of(candidate_column);
        std::vector<unsigned> const placed = rows_of(placed_column);
        std::vector<unsigned> const passes = last_change_.to_vector();
        constexpr std::size_t stored_words = cells + 2;
        std::vector<unsigned> stored(passes.size() * stored_words);
        for_each_state([&](std::size_t state) {
            std::array<std::uint32_t, cells> words;
            for (unsigned i = 0; i < cells; ++i) {
                unsigned const bit = placed[state * cells + i];
                words[i] = candidates[state * cells + i] |
                           (bit == 0 ? 0 : static_cast<unsigned>(std::countr_zero(bit)) + 1) << 16;
            }
            Outcome const outcome = outcome_after(words, passes[state] < parameters_.passes);
            unsigned* const to = &stored[state * stored_words];
            std::copy(words.begin(), words.end(), to);
            to[cells] = static_cast<unsigned>(outcome);
            to[cells + 1] = passes[state];
        });
        solved_ = 0;
        for (std::size_t state = 0; state < passes.size(); ++state)
            solved_ += stored[state * stored_words + cells] == static_cast<unsigned>(Outcome::solved) ? 1 : 0;
        output().upload(stored);
    }

    std::vector<unsigned> rows_of(unsigned column) {
        simt::LOCKSTEP_MACHINE::Buffer<unsigned> rows(static_cast<std::size_t>(job_.states) * cells);
        gather_rows(parameters_, layout_, column, rows.data());
        return rows.to_vector();
    }

    bench::Metrics lane_metrics() {
        constexpr std::uint64_t max_values = 1u << 24;
        bool const one_rule = job_.workload.base == RuleBase::synthetic;
        if (!one_rule || job_.states * job_.workload.range > max_values || job_.states == 0)
            return {};
        simt::LOCKSTEP_MACHINE::Buffer<unsigned> counts(static_cast<std::size_t>(job_.states) * job_.workload.range);
        simt::LOCKSTEP_MACHINE::Buffer<unsigned long long> statistics(statistics_size);
        counts.fill_bytes(0);
        statistics.fill_bytes(0);
        Parameters counting = parameters_;
        counting.counting = 1;
        counting.counts = counts.data();
        counting.statistics = statistics.data();
        launch_all(counting, {});
        simt::LOCKSTEP_MACHINE::synchronize({});
        std::vector<unsigned long long> const found = statistics.to_vector();
        auto const ratio = [&](unsigned above, unsigned below) {
            return found[below] == 0 ? 0 : static_cast<double>(found[above]) / static_cast<double>(found[below]);
        };
        double const products = static_cast<double>(found[lanes_enabled]) * job_.workload.load;
        return {{"evaluations", static_cast<double>(found[lanes_enabled])},
                {"paper_operations", products * paper_operations(job_.workload.shape)},
                {"values_miscounted", static_cast<double>(wrong_counts(counting, layout_, value_column))},
                {"lanes_evaluating", ratio(lanes_enabled, warps_evaluating)},
                {"empty_warps", found[warps_passing] == 0 ? 0 : 1 - ratio(warps_evaluating, warps_passing)}};
    }

    bench::Metrics outcome_metrics() {
        complete();
        std::vector<unsigned> const passes = last_change_.to_vector();
        double max_passes = 0, sum = 0;
        for (unsigned const pass : passes) {
            max_passes = std::max<double>(max_passes, pass);
            sum += pass;
        }
        bench::Metrics metrics = {{"solved", static_cast<double>(solved_)},
                                  {"max_passes", max_passes},
                                  {"mean_passes", passes.empty() ? 0 : sum / static_cast<double>(passes.size())}};
        if (job_.workload.until == Until::cycle) {
            std::vector<unsigned> const periods = periods_.to_vector();
            unsigned const longest = periods.empty() ? 0 : *std::max_element(periods.begin(), periods.end());
            metrics["max_period"] = longest;
            metrics["oscillating"] = static_cast<double>(
                std::count_if(periods.begin(), periods.end(), [](unsigned period) { return period > 1; }));
        }
        return metrics;
    }

    Job job_;
    LayoutName layout_;
    LaunchPlan plan_;
    Parameters parameters_;
    std::vector<simt::LOCKSTEP_MACHINE::Buffer<unsigned>> columns_;
    std::vector<simt::LOCKSTEP_MACHINE::Buffer<unsigned>> rows_;  // Sudoku: initial candidates and placed digits
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> last_change_;
    simt::LOCKSTEP_MACHINE::Buffer<unsigned long long> signatures_;  // of Until::cycle
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> periods_;
    bool summarised_ = false;
    std::uint64_t solved_ = 0;  // Sudoku: states of this outcome, once they are summarised
};

// Rule bases as programs.
using SeveralProgram = Program<false, Chained<0>, Chained<1>, Chained<2>, Chained<3>>;
using AccessesProgram = Program<false, Accesses>;
template <unsigned m, unsigned n = m, unsigned o = n>
using ProductProgram = Program<false, Product<m, n, o>>;

// Returns why a layout is not compiled with a rule base, or an empty string. The products of the paper's tables are
// compiled with all layouts, the other rule bases with fewer, to keep compilation short.
inline std::string not_compiled(bench::Axes const& axes) {
    RuleBase const base = rule_base_from_string(axes.text("rules"));
    LayoutName const layout = layout_from_string(axes.text("layout"));
    Shape const shape = shape_from_string(axes.text("shape"));
    if (base == RuleBase::search)
        return "it applies rules and does not guess, which rules search need";
    if (base == RuleBase::synthetic && !in_every_layout(shape) && layout != LayoutName::a)
        return "products other than 1x1x1 and 2x2x2 are compiled for layout A only";
    if (base == RuleBase::several && layout != LayoutName::a)
        return "rules several are compiled for layout A only";
    if ((base == RuleBase::accesses || base == RuleBase::sudoku) && layout != LayoutName::a && layout != LayoutName::c)
        return "these rules are compiled for layouts A and C only";
    return "";
}

// Calls pick.template operator()<Layout, Program>() for a product that is compiled for every layout.
template <class Layout, class Pick>
auto with_small_product(Shape const& shape, Pick const& pick) {
    return shape == Shape(1) ? pick.template operator()<Layout, ProductProgram<1>>()
                             : pick.template operator()<Layout, ProductProgram<2>>();
}

// The same for any of compiled_shapes.
template <class Layout, class Pick>
auto with_product(Shape const& shape, Pick const& pick) {
    if (shape == Shape(4))
        return pick.template operator()<Layout, ProductProgram<4>>();
    if (shape == Shape(8))
        return pick.template operator()<Layout, ProductProgram<8>>();
    if (shape == Shape(1, 4, 4))
        return pick.template operator()<Layout, ProductProgram<1, 4, 4>>();
    if (shape == Shape(2, 4, 8))
        return pick.template operator()<Layout, ProductProgram<2, 4, 8>>();
    if (shape == Shape(4, 2, 1))
        return pick.template operator()<Layout, ProductProgram<4, 2, 1>>();
    if (shape == Shape(4, 8, 2))
        return pick.template operator()<Layout, ProductProgram<4, 8, 2>>();
    return with_small_product<Layout>(shape, pick);
}

// Calls pick.template operator()<Layout, Program>() for the job's layout and rule base. Precondition: not_compiled
// returns an empty string. `groups` false: without layout C within a group (no_groups). `divided` false: without layout
// C with divisions.
template <bool groups = true, bool divided = false, class Pick>
auto with_program(Workload const& w, LayoutName layout, Pick const& pick) {
    switch (w.base) {
        case RuleBase::several:
            return pick.template operator()<LayoutA, SeveralProgram>();
        case RuleBase::accesses:
            return layout == LayoutName::c ? pick.template operator()<LayoutC, AccessesProgram>()
                                           : pick.template operator()<LayoutA, AccessesProgram>();
        case RuleBase::sudoku:
            return layout == LayoutName::c ? pick.template operator()<LayoutC, SudokuProgram>()
                                           : pick.template operator()<LayoutA, SudokuProgram>();
        default:
            break;
    }
    if (!in_every_layout(w.shape))
        return with_product<LayoutA>(w.shape, pick);
    switch (layout) {
        case LayoutName::a:
            return with_product<LayoutA>(w.shape, pick);
        case LayoutName::b:
            return with_small_product<LayoutB>(w.shape, pick);
        case LayoutName::c:
            return with_small_product<LayoutC>(w.shape, pick);
        case LayoutName::c_divided:
            return with_small_product<std::conditional_t<divided, LayoutCDivided, LayoutA>>(w.shape, pick);
        default:
            return with_small_product<std::conditional_t<groups, LayoutCGroup, LayoutA>>(w.shape, pick);
    }
}

inline unsigned axis_or(bench::Axes const& axes, char const* axis, unsigned otherwise) {
    std::int64_t const value = axes.integer(axis);
    return value == 0 ? otherwise : static_cast<unsigned>(value);
}

// Throws bench::Error if one launch cannot have as many.
inline unsigned blocks_for(std::uint64_t items, std::uint64_t items_per_block) {
    std::uint64_t const blocks = std::max<std::uint64_t>(1, simt::ceil_div(items, items_per_block));
    if (blocks > std::numeric_limits<int>::max())
        throw bench::Error("the states and their ranges are too many for one launch", "it has at most 2^31 - 1 blocks",
                           "Use fewer states.");
    return static_cast<unsigned>(blocks);
}
// For kernels that number their warps in 32 bits.
inline unsigned blocks_of_warps(std::uint64_t warps, std::uint64_t warps_per_block) {
    if (warps > std::numeric_limits<unsigned>::max() - warps_per_block)
        throw bench::Error("the states need too many warps", "a launch numbers them in 32 bits",
                           "Use fewer states or fewer warps per state.");
    return blocks_for(warps, warps_per_block);
}

// Algorithm 3's geometry: a warp per state, a block per group of `states_per_group` states (or the axis of that name).
// `groups`, `divided` and `pick` as in with_program.
template <bool groups = true, bool divided = false, class Pick>
LaunchPlan group_plan(std::string name, Job const& job, bench::Axes const& axes, unsigned states_per_group,
                      std::size_t shared_bytes, Pick const& pick) {
    LaunchPlan plan;
    plan.name = std::move(name);
    plan.settings.states_per_group = axis_or(axes, "states_per_group", states_per_group);
    plan.shape.block.x = plan.settings.states_per_group * 32;
    plan.shape.grid.x = blocks_for(job.states, plan.settings.states_per_group);
    plan.shape.shared_bytes = shared_bytes;
    plan.kernels = {with_program<groups, divided>(job.workload, layout_from_string(axes.text("layout")), pick)};
    return plan;
}

using UnsupportedReason = std::function<std::string(bench::Axes const&)>;

// Returns a variant of this machine; `plan` returns the launch of a job with these axes. `divided`: it is compiled for
// layout C_divided.
inline bench::Variant job_variant(std::string const& name, bench::Role role, std::string const& description,
                                  std::function<LaunchPlan(Job const&, bench::Axes const&)> plan,
                                  UnsupportedReason unsupported_reason = {}, bool divided = false) {
    return bench::LOCKSTEP_MACHINE::make_variant(
        name, role, "sequential", description,
        [plan = std::move(plan)](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            Job const job = job_of(problem);
            return std::make_unique<JobCase>(job, layout_from_string(problem.axes.text("layout")),
                                             plan(job, problem.axes));
        },
        [unsupported_reason = std::move(unsupported_reason), divided](bench::Axes const& axes) -> std::string {
            std::string const why = not_compiled(axes);
            if (why.empty() && !divided && axes.text("layout") == "C_divided")
                return "layout C_divided is compiled for Algorithms 1 and 3 and for the queue only";
            return why.empty() && unsupported_reason ? unsupported_reason(axes) : why;
        });
}

// Check for variants without groups of states: they do not support layout C within a group.
inline std::string no_groups(bench::Axes const& axes) {
    return axes.text("layout") == "C_group" ? "it has no groups of states, which layout C_group needs" : "";
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
