// The reference: one state after the other on one CPU thread, in plain loops.

#include "harness/bench/stored_output.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter::cpu {

namespace {

class SequentialCase : public bench::Case {
public:
    explicit SequentialCase(bench::Problem const& asked)
        : Case(asked), job_(job_of(asked)), output_(asked, words_per_result(job_.workload.base)) {}

    void reset() override { output_.poison(); }
    void run(simt::Stream) override {
        for (std::uint64_t i = 0; i < job_.states; ++i) {
            bench::UnitResult const result = run_state(job_, job_.first_state + i);
            std::copy(result.begin(), result.end(), output_.data() + i * result.size());
        }
    }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return output_.results(units);
    }
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override { return work_of(job_); }

private:
    Job job_;
    bench::cpu::StoredOutput output_;
};

}  // namespace

void add_sequential(bench::Experiment& experiment);

void add_sequential(bench::Experiment& experiment) {
    bench::Reference reference;
    reference.name = "sequential";
    reference.unit = [](bench::Problem const& problem, std::uint64_t unit) { return run_state(job_of(problem), unit); };
    // Where values lie and which threads have them.
    reference.ignored_axes = {"layout", "block", "states_per_group", "warps_per_state", "states_per_warp"};
    experiment.references.push_back(std::move(reference));
    bench::Variant variant;
    variant.name = "sequential";
    variant.role = bench::Role::reference;
    variant.machine = bench::Machine::cpu;
    variant.reference = "sequential";
    variant.description = "one state after the other on one CPU thread, in plain loops";
    variant.make = [](bench::Problem const& problem) { return std::make_unique<SequentialCase>(problem); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::rule_interpreter::cpu
