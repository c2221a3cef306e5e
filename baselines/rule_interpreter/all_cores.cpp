// The CPU contender: states distributed over all cores. For the synthetic rule, the enabled values of a state are
// gathered, so that every lane of a vector has one to evaluate; the other rule bases run as in the reference.

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <vector>

#include "baselines/rule_interpreter/product_lanes.hpp"
#include "harness/bench/cpu_clones.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/bench/parallel_chunks.hpp"
#include "harness/bench/stored_case.hpp"
#include "harness/threads/pool.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter::cpu {

namespace {

constexpr std::size_t min_words_shared = std::size_t{1} << 16;  // of memory that a thread sets

using Checksums = void (*)(std::uint32_t const* values, std::uint32_t const* instances, unsigned load,
                           std::uint32_t* checksums);

LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_1(std::uint32_t const* values, std::uint32_t const* instances,
                                                         unsigned load, std::uint32_t* checksums) {
    checksum_lanes<1, 1, 1>(values, instances, load, checksums);
}
LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_2(std::uint32_t const* values, std::uint32_t const* instances,
                                                         unsigned load, std::uint32_t* checksums) {
    checksum_lanes<2, 2, 2>(values, instances, load, checksums);
}
LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_4(std::uint32_t const* values, std::uint32_t const* instances,
                                                         unsigned load, std::uint32_t* checksums) {
    checksum_lanes<4, 4, 4>(values, instances, load, checksums);
}
LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_8(std::uint32_t const* values, std::uint32_t const* instances,
                                                         unsigned load, std::uint32_t* checksums) {
    checksum_lanes<8, 8, 8>(values, instances, load, checksums);
}
LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_1x4x4(std::uint32_t const* values,
                                                             std::uint32_t const* instances, unsigned load,
                                                             std::uint32_t* checksums) {
    checksum_lanes<1, 4, 4>(values, instances, load, checksums);
}
LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_2x4x8(std::uint32_t const* values,
                                                             std::uint32_t const* instances, unsigned load,
                                                             std::uint32_t* checksums) {
    checksum_lanes<2, 4, 8>(values, instances, load, checksums);
}
LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_4x2x1(std::uint32_t const* values,
                                                             std::uint32_t const* instances, unsigned load,
                                                             std::uint32_t* checksums) {
    checksum_lanes<4, 2, 1>(values, instances, load, checksums);
}
LOCKSTEP_CPU_CLONES LOCKSTEP_VECTORISED void checksums_4x8x2(std::uint32_t const* values,
                                                             std::uint32_t const* instances, unsigned load,
                                                             std::uint32_t* checksums) {
    checksum_lanes<4, 8, 2>(values, instances, load, checksums);
}

// In the order of compiled_shapes.
constexpr Checksums checksums_of_shapes[] = {checksums_1,     checksums_2,     checksums_4,     checksums_8,
                                             checksums_1x4x4, checksums_2x4x8, checksums_4x2x1, checksums_4x8x2};
static_assert(std::size(checksums_of_shapes) == std::size(compiled_shapes));

Checksums checksums_of(Shape const& shape) {
    return checksums_of_shapes[std::find(std::begin(compiled_shapes), std::end(compiled_shapes), shape) -
                               std::begin(compiled_shapes)];
}

// Applies the synthetic rule to one state; `values` and `results` have `range` elements.
void apply_product(Checksums checksums, std::uint32_t const* values, unsigned range, unsigned load,
                   std::uint32_t* results) {
    std::uint32_t gathered[product_lanes] = {};
    std::uint32_t instances[product_lanes] = {};
    std::uint32_t sums[product_lanes];
    unsigned count = 0;
    auto const evaluate = [&] {
        checksums(gathered, instances, load, sums);
        for (unsigned l = 0; l < count; ++l)
            results[instances[l]] = sums[l];
        count = 0;
    };
    for (unsigned i = 0; i < range; ++i) {
        if (values[i] == 0)
            continue;
        gathered[count] = values[i];
        instances[count++] = i;
        if (count == product_lanes)
            evaluate();
    }
    if (count != 0)
        evaluate();
}

class AllCoresCase : public bench::cpu::StoredCase {
public:
    explicit AllCoresCase(bench::Problem const& problem)
        : StoredCase(problem, words_per_result(job_of(problem).workload.base)), job_(job_of(problem)) {
        for (std::uint64_t i = 0; job_.workload.base == RuleBase::search && i < job_.states; ++i)
            puzzles_.push_back(puzzle_of(job_, job_.first_state + i));
        if (!products())
            return;
        std::size_t const range = job_.workload.range;
        size_ = static_cast<std::size_t>(job_.states) * range;
        values_ = std::make_unique_for_overwrite<std::uint32_t[]>(size_);
        results_ = std::make_unique_for_overwrite<std::uint32_t[]>(size_);
        for_each_state([&](std::uint64_t state) {
            for (unsigned i = 0; i < range; ++i)
                values_[state * range + i] = initial_value(job_.draw(), job_.first_state + state, i);
        });
    }

    void reset() override {
        bench::parallel_chunks(size_, min_words_shared, [&](std::size_t, std::size_t first, std::size_t last) {
            std::fill(results_.get() + first, results_.get() + last, result_unset);
        });
        StoredCase::reset();
        threads::shared_pool().rouse();
    }

    void run(simt::Stream) override {
        std::size_t const range = job_.workload.range;
        Checksums const checksums = checksums_of(job_.workload.shape);
        for_each_state([&](std::uint64_t state) {
            if (products()) {
                apply_product(checksums, values_.get() + state * range, job_.workload.range, job_.workload.load,
                              results_.get() + state * range);
            } else {
                store(state, job_.workload.base == RuleBase::search
                                 ? words_of(count_solutions(puzzles_[state], solutions_sought))
                                 : run_state(job_, job_.first_state + state));
            }
        });
    }

    bench::Work work() const override { return work_of(job_); }

private:
    bool products() const { return job_.workload.base == RuleBase::synthetic; }

    // Computes the summary of each state from its results.
    void complete() override {
        std::size_t const range = job_.workload.range;
        if (!products())
            return;
        for_each_state([&](std::uint64_t state) {
            std::uint32_t const* const first = results_.get() + state * range;
            store(state, summary_of({first, first + range}));
        });
    }

    template <class Body>
    void for_each_state(Body const& body) {
        std::atomic<std::uint64_t> next = 0;
        auto const work = [&] {
            for (std::uint64_t i = next++; i < job_.states; i = next++)
                body(i);
        };
        threads::Pool& pool = threads::shared_pool();
        pool.run(std::min<std::uint64_t>(pool.width(), job_.states), [&](std::size_t) { work(); });
    }

    Job job_;
    std::vector<Puzzle> puzzles_;  // of the rule base `search`
    // Of all states. New memory is first written by the threads that share it, not zeroed by one of them.
    std::size_t size_ = 0;
    std::unique_ptr<std::uint32_t[]> values_;
    std::unique_ptr<std::uint32_t[]> results_;
};

}  // namespace

void add_all_cores(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "all_cores", bench::Role::contender, "sequential",
        "states distributed over all cores, enabled values gathered into vector lanes, search on bit boards",
        [](bench::Problem const& problem) { return std::make_unique<AllCoresCase>(problem); }));
}

}  // namespace lockstep::rule_interpreter::cpu
