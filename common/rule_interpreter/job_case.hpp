#pragma once
// The host side of the interpreters: a job's states in device memory in a layout, the launch, results. For `.cu` files,
// after their kernels.

#include <algorithm>
#include <bit>
#include <functional>
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
#include "harness/bench/stored_case.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

using Kernel = void (*)(Parameters);

// How one variant launches. Several kernels: one a rule, in turn, a launch each.
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
        if (sudoku()) {
            for (unsigned const range : {cells, cells, unit_digits, cells})
                add_column(range);
            upload_puzzles();
        } else {
            unsigned const range = w.base == RuleBase::accesses ? w.range * w.accesses : w.range;
            add_column(range);
            add_column(range);
            fill_values(parameters_, layout_, value_column, job_.draw(), job_.first_state);
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
    // Several rules and the grid's own rules change what they read.
    bool repeatable() const override {
        return job_.workload.base == RuleBase::synthetic || job_.workload.base == RuleBase::accesses;
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        std::vector<simt::KernelAttributes> all;
        for (Kernel const kernel : plan_.kernels)
            all.push_back(simt::LOCKSTEP_MACHINE::attributes(plan_.name.c_str(), kernel, plan_.shape));
        return all;
    }

    // Synthetic rule: whether every enabled value was evaluated exactly once a pass, and how lanes were filled.
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
                               "a column takes " + std::to_string(words) + " words, fewer than 2^31 fit",
                               "Use --shard, or fewer states.");
        }
        columns_.emplace_back(static_cast<std::size_t>(words));
        parameters_.columns[columns_.size() - 1] = columns_.back().data();
        parameters_.range[columns_.size() - 1] = range;
    }

    void upload_puzzles() {
        std::vector<unsigned> candidates, placed;
        for (std::uint64_t i = 0; i < job_.states; ++i) {
            for (std::uint8_t const digit : puzzle_of(job_, job_.first_state + i)) {
                placed.push_back(digit == 0 ? 0 : 1u << (digit - 1));
                candidates.push_back(digit == 0 ? all_digits : placed.back());
            }
        }
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
        std::vector<unsigned> stored;
        stored.reserve(passes.size() * (cells + 2));
        for (std::size_t state = 0; state < passes.size(); ++state) {
            std::array<std::uint32_t, cells> words;
            for (unsigned i = 0; i < cells; ++i) {
                unsigned const bit = placed[state * cells + i];
                words[i] = candidates[state * cells + i] |
                           (bit == 0 ? 0 : static_cast<unsigned>(std::countr_zero(bit)) + 1) << 16;
            }
            Outcome const outcome = passes[state] >= parameters_.passes ? Outcome::bound : outcome_of(words);
            stored.insert(stored.end(), words.begin(), words.end());
            stored.push_back(static_cast<unsigned>(outcome));
            stored.push_back(passes[state]);
        }
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
        return {{"evaluations", static_cast<double>(found[lanes_enabled])},
                {"values_miscounted", static_cast<double>(wrong_counts(counting, layout_, value_column))},
                {"lanes_evaluating", ratio(lanes_enabled, warps_evaluating)},
                {"empty_warps", found[warps_passing] == 0 ? 0 : 1 - ratio(warps_evaluating, warps_passing)}};
    }

    bench::Metrics outcome_metrics() {
        complete();
        std::vector<std::uint64_t> all(static_cast<std::size_t>(job_.states));
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = job_.first_state + i;
        double solved = 0, max_passes = 0, sum = 0;
        for (bench::UnitResult const& result : output().results(all)) {
            solved += result[cells] == static_cast<std::uint32_t>(Outcome::solved);
            max_passes = std::max<double>(max_passes, result[cells + 1]);
            sum += result[cells + 1];
        }
        return {{"solved", solved},
                {"max_passes", max_passes},
                {"mean_passes", all.empty() ? 0 : sum / static_cast<double>(all.size())}};
    }

    Job job_;
    LayoutName layout_;
    LaunchPlan plan_;
    Parameters parameters_;
    std::vector<simt::LOCKSTEP_MACHINE::Buffer<unsigned>> columns_;
    std::vector<simt::LOCKSTEP_MACHINE::Buffer<unsigned>> rows_;  // Sudoku: candidates and placed digits at the start
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> last_change_;
    bool summarised_ = false;
};

// Rule bases as programs.
using SeveralProgram = Program<false, Chained<0>, Chained<1>, Chained<2>, Chained<3>>;
using AccessesProgram = Program<false, Accesses>;
template <unsigned n>
using ProductProgram = Program<false, Product<n>>;

// Which layouts are compiled with which rule base: all with the products of the paper's tables, fewer with the others,
// to keep compilation short. Empty where a variant takes the axes.
inline std::string not_compiled(bench::Axes const& axes) {
    RuleBase const base = rule_base_from_string(axes.text("rules"));
    LayoutName const layout = layout_from_string(axes.text("layout"));
    unsigned const shape = shape_from_string(axes.text("shape"));
    if (base == RuleBase::synthetic && shape > 2 && layout != LayoutName::a)
        return "4x4x4 and 8x8x8 are compiled for layout A";
    if (base == RuleBase::several && layout != LayoutName::a)
        return "rules several are compiled for layout A";
    if ((base == RuleBase::accesses || base == RuleBase::sudoku) && layout != LayoutName::a && layout != LayoutName::c)
        return "these rules are compiled for layouts A and C";
    return "";
}

// Calls pick.template operator()<Layout, Program>() for the job's layout and rule base, as far as not_compiled lets it.
// `groups` false: without layout C within a group (no_groups).
template <bool groups = true, class Pick>
auto with_program(Workload const& w, LayoutName layout, Pick const& pick) {
    using P1 = ProductProgram<1>;
    using P2 = ProductProgram<2>;
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
    if (w.shape == 4)
        return pick.template operator()<LayoutA, ProductProgram<4>>();
    if (w.shape == 8)
        return pick.template operator()<LayoutA, ProductProgram<8>>();
    switch (layout) {
        case LayoutName::a:
            return w.shape == 1 ? pick.template operator()<LayoutA, P1>() : pick.template operator()<LayoutA, P2>();
        case LayoutName::b:
            return w.shape == 1 ? pick.template operator()<LayoutB, P1>() : pick.template operator()<LayoutB, P2>();
        case LayoutName::c:
            return w.shape == 1 ? pick.template operator()<LayoutC, P1>() : pick.template operator()<LayoutC, P2>();
        default:
            using Last = std::conditional_t<groups, LayoutCGroup, LayoutA>;
            return w.shape == 1 ? pick.template operator()<Last, P1>() : pick.template operator()<Last, P2>();
    }
}

inline unsigned axis_or(bench::Axes const& axes, char const* axis, unsigned otherwise) {
    std::int64_t const value = axes.integer(axis);
    return value == 0 ? otherwise : static_cast<unsigned>(value);
}

inline unsigned blocks_for(std::uint64_t items, std::uint64_t a_block) {
    return static_cast<unsigned>(std::max<std::uint64_t>(1, (items + a_block - 1) / a_block));
}

// Algorithm 3's geometry: a warp per state, a block per group of `states_per_group` states (or the axis of that name).
// `groups` and `pick` as in with_program.
template <bool groups = true, class Pick>
LaunchPlan group_plan(std::string name, Job const& job, bench::Axes const& axes, unsigned states_per_group,
                      std::size_t shared_bytes, Pick const& pick) {
    LaunchPlan plan;
    plan.name = std::move(name);
    plan.settings.states_per_group = axis_or(axes, "states_per_group", states_per_group);
    plan.shape.block.x = plan.settings.states_per_group * 32;
    plan.shape.grid.x = blocks_for(job.states, plan.settings.states_per_group);
    plan.shape.shared_bytes = shared_bytes;
    plan.kernels = {with_program<groups>(job.workload, layout_from_string(axes.text("layout")), pick)};
    return plan;
}

using UnsupportedReason = std::function<std::string(bench::Axes const&)>;

// A variant of this machine; `plan` says how it launches a job with these axes.
inline bench::Variant job_variant(std::string const& name, bench::Role role, std::string const& description,
                                  std::function<LaunchPlan(Job const&, bench::Axes const&)> plan,
                                  UnsupportedReason unsupported_reason = {}) {
    return bench::LOCKSTEP_MACHINE::make_variant(
        name, role, "sequential", description,
        [plan = std::move(plan)](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            Job const job = job_of(problem);
            return std::make_unique<JobCase>(job, layout_from_string(problem.axes.text("layout")),
                                             plan(job, problem.axes));
        },
        [unsupported_reason = std::move(unsupported_reason)](bench::Axes const& axes) {
            std::string const why = not_compiled(axes);
            return why.empty() && unsupported_reason ? unsupported_reason(axes) : why;
        });
}

// Refuses layout C within a group, where there are no groups of states.
inline std::string no_groups(bench::Axes const& axes) {
    return axes.text("layout") == "C_group" ? "there are no groups of states, so no layout C within one" : "";
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
