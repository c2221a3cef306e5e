// A workload as a case of the harness: one unit, one term.

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

namespace {

class EngineCase : public bench::Case {
public:
    EngineCase(std::function<std::unique_ptr<Engine>(System const&)> const& make, Limits const& limits,
               bench::Problem const& problem)
        : Case(problem), limits_(limits), workload_(read_workload(problem)), system_(system_of(workload_)) {
        engine_ = make(system_);
        Terms terms;
        TermId const input = make_input(system_, workload_, terms);
        engine_->load(terms, input);
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

    bool repeatable() const override { return !engine_->consumes_input(); }

    bench::Metrics metrics() const override {
        bench::Metrics metrics = engine_->metrics();
        metrics["rewrites"] = static_cast<double>(outcome_.rewrites());
        metrics["memory_bytes"] = bench::Metric::varying(static_cast<double>(outcome_.memory));
        return metrics;
    }

private:
    Limits limits_;
    Workload workload_;
    System system_;
    std::unique_ptr<Engine> engine_;
    Outcome outcome_;
    bench::UnitResult result_;
};

}  // namespace

std::unique_ptr<bench::Case> make_engine_case(std::string const& engine, bench::Problem const& problem) {
    return make_engine_case([&](System const& system) { return make_engine(system, engine, "auto"); }, {}, problem);
}

std::unique_ptr<bench::Case> make_engine_case(std::function<std::unique_ptr<Engine>(System const&)> const& make,
                                              Limits const& limits, bench::Problem const& problem) {
    return std::make_unique<EngineCase>(make, limits, problem);
}

}  // namespace lockstep::term_rewriting
