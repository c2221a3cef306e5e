// A workload rewritten in passes, as a case of the harness: the input lies on the device when the time begins.

#include <cstdio>
#include <limits>

#include "harness/bench/error.hpp"
#include "kernels/term_rewriting/as_printed/workload_input.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

// A figure a pass, so far as a row should grow.
constexpr std::size_t max_passes = 4096;

class TopologyCase : public bench::Case {
public:
    TopologyCase(simt::Machine machine, Options const& options, bench::Problem const& problem)
        : Case(problem),
          options_(options),
          workload_(read_workload(problem)),
          system_(system_of(workload_)),
          engine_(system_, jit::device_of(machine), options) {
        engine_.load(input_of(system_, workload_));
    }

    void reset() override {
        result_.clear();
        engine_.prepare();
    }

    void run(simt::Stream) override {
        result_.clear();
        Limits limits;
        limits.memory = std::numeric_limits<std::uint64_t>::max();
        outcome_ = engine_.run(limits);
        if (outcome_.end != End::finished)
            throw bench::Error("the term was not finished", "a limit ended it", "Try a smaller depth.");
    }

    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        if (result_.empty())
            result_ = unit_result(engine_.normal_form_digest(), outcome_.applications);
        return std::vector<bench::UnitResult>(units.size(), result_);
    }

    bench::Work work() const override {
        bench::Work work;
        work.items = static_cast<double>(outcome_.rewrites());
        return work;
    }

    bool repeatable() const override { return false; }

    bench::Metrics metrics() const override {
        bench::Metrics metrics = {
            {"rewrites", static_cast<double>(outcome_.rewrites())},
            {"iterations", static_cast<double>(*outcome_.iterations)},
            {"max_redexes", static_cast<double>(*outcome_.max_redexes)},
            {"memory_bytes", bench::Metric::varying(static_cast<double>(outcome_.memory))},
            {"slots_used", static_cast<double>(engine_.slots_used())},
            {"slots_held", static_cast<double>(engine_.slots_held())},
        };
        std::vector<Pass> const& passes = engine_.passes();
        for (std::size_t i = 0; i < passes.size(); ++i)
            add_pass(metrics, passes[i], i + 1);
        return metrics;
    }

private:
    void add_pass(bench::Metrics& metrics, Pass const& pass, std::size_t number) const {
        char suffix[24];
        std::snprintf(suffix, sizeof suffix, "_%05zu", number);
        auto const add = [&](std::string const& name, bench::Metric value, bool sums) {
            if (sums)
                metrics[name] += value;
            if (number <= max_passes)
                metrics["pass_" + name + suffix] = value;
        };
        add("redexes", static_cast<double>(pass.redexes), false);
        add("slots", static_cast<double>(pass.slots), false);
        if (options_.counts_traffic) {
            add("own_bytes", static_cast<double>(pass.own_bytes), true);
            add("random_bytes", static_cast<double>(pass.random_bytes), true);
            add("atomics", static_cast<double>(pass.atomics), true);
            add("checks", static_cast<double>(pass.checks), true);
        } else {
            add("seconds", bench::Metric::varying(pass.seconds), false);
            add("derive_seconds", bench::Metric::varying(pass.derive_seconds), false);
        }
    }

    Options options_;
    Workload workload_;
    System system_;
    TopologyEngine engine_;
    Outcome outcome_;
    bench::UnitResult result_;
};

}  // namespace

std::unique_ptr<bench::Case> make_case(simt::Machine machine, Options const& options, bench::Problem const& problem) {
    return std::make_unique<TopologyCase>(machine, options, problem);
}

}  // namespace lockstep::term_rewriting::as_printed
