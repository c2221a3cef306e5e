#pragma once
// One of the two engines of a race, with its thread and its result.

#include <exception>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "common/term_rewriting/engine.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::term_rewriting {

// Returns true for an end that both engines would reach.
inline bool decides(End end) { return end == End::finished || end == End::too_many_rewrites; }

struct Runner {
    explicit Runner(std::string given) : name(std::move(given)) {}

    bool is_decided() const { return done && error == nullptr && decides(outcome.end); }
    // On request, or by a rule that the engine may stop after (Limits), after which no other engine has a result
    // either.
    bool has_stopped() const { return done && error == nullptr && outcome.end == End::stopped; }
    // True if no other engine can do better: the limit of time, or a request to stop, is for both.
    bool is_over() const {
        bool const out_of_time = done && error == nullptr && outcome.end == End::out_of_time;
        return is_decided() || has_stopped() || out_of_time;
    }

    std::string name;
    std::unique_ptr<Engine> engine;
    // Guarded by the mutex of the race, and what follows until it is true.
    bool done = true;
    Outcome outcome;
    std::exception_ptr error;
    double ended = 0;       // seconds from the start of the race
    std::stop_source stop;  // guarded by the mutex for stops
    // Not pinned, because an engine may create threads.
    threads::Pool thread{1, threads::Pool::Placement::free};
};

// Returns the text of an exception.
inline std::string reason(std::exception_ptr const& error) {
    try {
        std::rethrow_exception(error);
    } catch (std::exception const& known) {
        return known.what();
    } catch (...) {
        return "an unknown error";
    }
}

}  // namespace lockstep::term_rewriting
