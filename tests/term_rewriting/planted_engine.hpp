#pragma once
// Engines with the behaviour that a test plants, for tests of what runs several engines.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "common/term_rewriting/engine.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

using Action = std::function<Outcome(Limits const&)>;

// Runs the behaviour that a test plants, and records its calls.
class PlantedEngine : public Engine {
public:
    struct Asked {
        std::atomic<unsigned> made{0}, loads{0}, runs{0}, stopped{0};
        std::atomic<int> waiting{-1};      // subterms; negative: the engine does not know
        std::atomic<bool> watches{false};  // the action calls Limits::watch
        std::atomic<std::size_t> terms{1};
        std::atomic<bool> busy{false};
    };

    PlantedEngine(Action action, SymbolId result, Asked& asked)
        : action_(std::move(action)), result_(result), asked_(asked) {
        ++asked_.made;
    }
    std::optional<std::size_t> peak_waiting() const override {
        int const waiting = asked_.waiting;
        return waiting < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(waiting));
    }
    bool calls_watch() const override { return asked_.watches; }
    std::size_t independent_terms() const override { return asked_.terms; }
    bool is_busy() override { return asked_.busy; }
    void load(Terms const&, TermId) override { ++asked_.loads; }
    Outcome run(Limits const& limits) override {
        ++asked_.runs;
        Outcome const outcome = action_(limits);
        if (outcome.end == End::stopped)
            ++asked_.stopped;
        return outcome;
    }
    TermId normal_form(Terms& terms) override { return terms.application(result_, {}); }

private:
    Action action_;
    SymbolId result_;
    Asked& asked_;
};

inline Outcome ended(End end, std::uint64_t rewrites = 1) {
    Outcome outcome;
    outcome.end = end;
    outcome.applications = {rewrites};
    return outcome;
}

inline Action immediately(End end, std::uint64_t rewrites = 1) {
    return [=](Limits const&) { return ended(end, rewrites); };
}

inline Outcome until_stopped(Limits const& limits) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    bool const in_time = !stopped.wait_for(lock, limits.stop, std::chrono::seconds(60), [] { return false; });
    return ended(in_time && limits.stop.stop_requested() ? End::stopped : End::out_of_time);
}

inline Outcome throws(Limits const&) { throw bench::Error("planted", "by the test"); }

inline constexpr SymbolId of_first = 1, of_second = 2;

}  // namespace lockstep::term_rewriting
