#include "common/object_layout/interaction.hpp"

#include <map>
#include <span>
#include <utility>

#include "common/object_layout/traffic_metrics.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::object_layout {

namespace {

class PlainObjectsCase : public bench::Case, public Counting {
public:
    PlainObjectsCase(bench::Problem const& problem, KeptSimulation::Simulate simulate)
        : Case(problem), problem_(problem), simulate_(std::move(simulate)) {}
    void reset() override { simulated_ = {}; }
    void run(simt::Stream) override { simulated_ = simulate_(problem_); }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units)
            found.push_back(simulated_.result(unit));
        return found;
    }
    bench::Work work() const override {
        double const ticks = static_cast<double>(problem_.units) * problem_.axes.real("ticks");
        return {ticks, 0, ticks};
    }
    void count_each_tick() override {}
    History history() const override { return simulated_.history; }

private:
    bench::Problem problem_;
    KeptSimulation::Simulate simulate_;
    Simulated simulated_;
};

}  // namespace

std::vector<std::string> const& states_of(std::string const& program) {
    static std::map<std::string, std::vector<std::string>> const states = {
        {"wator", {"fish", "sharks"}},
        {"infection", {"susceptible", "infected", "recovered", "dead"}},
        {"nasch", {"stopped", "moving", "cells_passed"}},
    };
    return states.at(program);
}

bench::UnitResult Simulated::result(std::uint64_t unit) const {
    if (unit >= results.size() / words)
        return {};
    return {results.begin() + static_cast<std::ptrdiff_t>(words * unit),
            results.begin() + static_cast<std::ptrdiff_t>(words * (unit + 1))};
}

std::shared_ptr<Simulated const> KeptSimulation::of(bench::Problem const& problem) {
    auto const is_of = [&](bench::Problem const& kept) {
        return kept.units == problem.units && kept.seed == problem.seed && kept.axes == problem.axes;
    };
    // Each thread remembers what it asked for last, so that threads that ask for all units do not wait for the lock.
    struct Last {
        KeptSimulation const* from = nullptr;
        bench::Problem problem;
        std::shared_ptr<Simulated const> simulated;
    };
    thread_local Last last;
    if (last.from == this && is_of(last.problem))
        return last.simulated;
    std::lock_guard const lock(mutex_);
    if (!simulated_ || !is_of(problem_)) {
        simulated_ = std::make_shared<Simulated const>(simulate_(problem));
        problem_ = problem;
    }
    last = {this, problem, simulated_};
    return simulated_;
}

void refuse_shards(bench::Problem const& problem) {
    if (problem.first_unit != 0) {
        throw bench::Error("program " + problem.axes.text("program") + " has no shards",
                           "every object may depend on all objects", "Run it without --shard.");
    }
}

std::string interaction_unsupported_reason(bench::Axes const& axes, std::string const& program) {
    if (std::string const reason = program_unsupported_reason(axes, program); !reason.empty())
        return reason;
    return axes.integer("ticks") <= 1 << 20 ? "" : "programs of interacting objects run at most 2^20 ticks";
}

bench::Variant plain_objects_variant(std::string const& program, std::string const& description,
                                     KeptSimulation::Simulate simulate) {
    return bench::cpu::make_variant(
        program + "_objects", bench::Role::reference, program, description,
        [simulate](bench::Problem const& problem) {
            refuse_shards(problem);
            return std::make_unique<PlainObjectsCase>(problem, simulate);
        },
        [program](bench::Axes const& axes) { return interaction_unsupported_reason(axes, program); });
}

}  // namespace lockstep::object_layout
