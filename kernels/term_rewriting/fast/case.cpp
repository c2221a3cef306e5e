// A workload rewritten by the engine `fast`, as a case of the harness: the input lies on the device when the time
// begins.

#include "kernels/term_rewriting/fast/case.hpp"

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/error.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

class FastCase : public bench::Case {
public:
    FastCase(simt::Machine machine, Options const& options, bench::Problem const& problem)
        : Case(problem),
          workload_(read_workload(problem)),
          system_(system_of(workload_)),
          engine_(system_, jit::device_of(machine), options) {
        Terms terms;
        TermId const input = make_input(system_, workload_, terms);
        engine_.load(terms, input);
        limits_.memory = jit::device_of(machine).free_memory() / 10 * 8;
    }

    void reset() override { result_.clear(); }

    void run(simt::Stream) override {
        result_.clear();
        outcome_ = engine_.run(limits_);
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

    bool repeatable() const override { return true; }

    bench::Metrics metrics() const override {
        Measures const& measures = engine_.measures();
        auto const varying = [](std::uint64_t number) { return bench::Metric::varying(static_cast<double>(number)); };
        // Lanes hand work over as it happens, so turns, splits, rounds and memory differ from run to run.
        return {{"rewrites", static_cast<double>(outcome_.rewrites())},
                {"memory_bytes", varying(outcome_.memory)},
                {"lanes", static_cast<double>(measures.lanes)},
                {"collections", static_cast<double>(measures.collections)},
                {"launches", static_cast<double>(measures.launches)},
                {"warp_turns", varying(measures.warp_turns)},
                {"lane_turns", varying(measures.lane_turns)},
                {"splits", varying(measures.splits)},
                {"spills", static_cast<double>(measures.spills)},
                {"rounds", varying(measures.rounds)},
                {"heap_bytes", varying(16 * measures.granules)}};
    }

private:
    Workload workload_;
    System system_;
    FastEngine engine_;
    Limits limits_;
    Outcome outcome_;
    bench::UnitResult result_;
};

}  // namespace

std::unique_ptr<bench::Case> make_case(simt::Machine machine, bool chains, bench::Problem const& problem) {
    Options options = options_for(machine);
    options.chains = chains;
    return std::make_unique<FastCase>(machine, options, problem);
}

}  // namespace lockstep::term_rewriting::fast
