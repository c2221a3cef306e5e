// The reference: one state after the other on one CPU thread, in plain loops.

#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter::cpu {

namespace {

class SequentialCase : public bench::cpu::StoredCase {
public:
    explicit SequentialCase(bench::Problem const& asked)
        : StoredCase(asked, words_per_result(job_of(asked).workload.base)), job_(job_of(asked)) {}

    void run(simt::Stream) override {
        for (std::uint64_t i = 0; i < job_.states; ++i)
            store(i, run_state(job_, job_.first_state + i));
    }
    bench::Work work() const override { return work_of(job_); }

private:
    Job job_;
};

}  // namespace

void add_sequential(bench::Experiment& experiment) {
    bench::Reference reference;
    reference.name = "sequential";
    reference.unit = [](bench::Problem const& problem, std::uint64_t unit) { return run_state(job_of(problem), unit); };
    // Where values lie and which threads have them.
    reference.ignored_axes = {"layout", "block", "states_per_group", "warps_per_state", "states_per_warp"};
    experiment.references.push_back(std::move(reference));
    experiment.variants.push_back(bench::cpu::make_variant(
        "sequential", bench::Role::reference, "sequential",
        "one state after the other on one CPU thread, in plain loops",
        [](bench::Problem const& problem) { return std::make_unique<SequentialCase>(problem); }));
}

}  // namespace lockstep::rule_interpreter::cpu
