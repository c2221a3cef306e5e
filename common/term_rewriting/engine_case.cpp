// A workload as a case of the harness: one unit, one term.

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

namespace {

class EngineCase : public bench::Case {
public:
    EngineCase(MakeEngine const& make, Limits const& limits, bench::Problem const& problem, LoadWorkload const& load)
        : Case(problem), limits_(limits) {
        Workload const workload = read_workload(problem);
        system_ = system_of(workload);
        engine_ = make(system_);
        load(*engine_, system_, workload);
    }

    void reset() override {
        result_.clear();
        engine_->make_ready(limits_);
        engine_->prepare();
    }

    void run(simt::Stream) override {
        result_.clear();
        outcome_ = engine_->run(limits_);
        if (outcome_.end != End::finished)
            throw bench::Error("the term was not finished", "a limit ended it", "Try a smaller depth.");
    }

    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        if (result_.empty())
            result_ = unit_result(engine_->normal_form_digest(), outcome_.applications);
        return std::vector<bench::UnitResult>(units.size(), result_);
    }

    bench::Work work() const override {
        bench::Work work;
        work.items = static_cast<double>(outcome_.rewrites());
        return work;
    }

    // Engines start kernels and threads of their own and wait for them.
    bool is_host_driven() const override { return true; }

    bool repeatable() const override { return !engine_->consumes_input(); }

    bench::Metrics metrics() const override {
        bench::Metrics metrics = engine_->metrics();
        metrics["rewrites"] = static_cast<double>(outcome_.rewrites());
        metrics["memory_bytes"] = bench::Metric::varying(static_cast<double>(outcome_.memory));
        if (outcome_.iterations)
            metrics["iterations"] = static_cast<double>(*outcome_.iterations);
        if (outcome_.max_redexes)
            metrics["max_redexes"] = static_cast<double>(*outcome_.max_redexes);
        return metrics;
    }

private:
    Limits limits_;
    System system_;
    std::unique_ptr<Engine> engine_;
    Outcome outcome_;
    bench::UnitResult result_;
};

}  // namespace

std::unique_ptr<bench::Case> make_engine_case(std::string const& engine, bench::Problem const& problem) {
    return make_engine_case([&](System const& system) { return make_engine(system, engine, "auto"); }, {}, problem);
}

std::unique_ptr<bench::Case> make_engine_case(MakeEngine const& make, Limits const& limits,
                                              bench::Problem const& problem, LoadWorkload const& load) {
    return std::make_unique<EngineCase>(make, limits, problem, load);
}

void load_workload(Engine& engine, System const& system, Workload const& workload) {
    Terms terms;
    TermId const input = make_input(system, workload, terms);
    engine.load(terms, input);
}

}  // namespace lockstep::term_rewriting
