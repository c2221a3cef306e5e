// The reference: one state after the other on one CPU thread, in plain loops.

#include <mutex>
#include <unordered_map>

#include "harness/bench/stored_output.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter::cpu {

namespace {

class SequentialCase : public bench::Case {
public:
    explicit SequentialCase(bench::Problem const& asked)
        : Case(asked), job_(job_of(asked)), output_(asked, words_a_result(job_.workload.base)) {}

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

// Results of states computed before: cases that differ only in layout or geometry ask for the same ones.
class Remembered {
public:
    bench::UnitResult get(Job const& job, std::uint64_t state) {
        if (job.puzzles)
            return run_state(job, state);
        std::string const key = key_of(job, state);
        {
            std::lock_guard const lock(mutex_);
            if (auto const found = results_.find(key); found != results_.end())
                return found->second;
        }
        bench::UnitResult const result = run_state(job, state);
        std::lock_guard const lock(mutex_);
        if (results_.size() > most)
            results_.clear();
        return results_[key] = result;
    }

private:
    static constexpr std::size_t most = 1u << 20;

    static std::string key_of(Job const& job, std::uint64_t state) {
        Workload const& w = job.workload;
        std::uint64_t const numbers[] = {job.seed,
                                         state,
                                         w.range,
                                         w.divergence,
                                         static_cast<std::uint64_t>(w.enabled_percent),
                                         w.load,
                                         w.shape,
                                         w.accesses,
                                         w.steps,
                                         w.clues,
                                         w.bound,
                                         static_cast<std::uint64_t>(w.base) << 8 | static_cast<std::uint64_t>(w.until)};
        return {reinterpret_cast<char const*>(numbers), sizeof(numbers)};
    }

    std::mutex mutex_;
    std::unordered_map<std::string, bench::UnitResult> results_;
};

}  // namespace

void add_sequential(bench::Experiment& experiment);

void add_sequential(bench::Experiment& experiment) {
    auto const remembered = std::make_shared<Remembered>();
    experiment.references.push_back({"sequential", [remembered](bench::Problem const& problem, std::uint64_t unit) {
                                         return remembered->get(job_of(problem), unit);
                                     }});
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
