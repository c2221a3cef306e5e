#pragma once
// Runs a system's program for one worker and its program for many workers on the same input; the first to finish gives
// the result. Tasks cost the parallel program time: it is up to twice as slow on one core. Whether they pay becomes
// known only while it runs.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "baselines/term_rewriting/compiled/runtime.hpp"
#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting::compiled {

enum class GivesWay { nobody, sequential, parallel };

// If both use more memory than the limit, the one that is behind. Else the sequential program, if the other one is
// more than twice as far: its core is then free. How far a program is that has not answered a look is not known.
GivesWay who_gives_way(Progress const& sequential, Progress const& parallel, std::size_t memory_limit);

class ProgramRace {
public:
    // `make_parallel` returns the runtime of the parallel program, or null while that program is not compiled. It is
    // called by make_ready(), or by a run that has gone on for short_run_without_threads. If it throws, the sequential
    // program works alone.
    using MakeParallel = std::function<std::unique_ptr<Runtime>()>;
    ProgramRace(std::unique_ptr<Runtime> sequential, MakeParallel make_parallel);
    ~ProgramRace() { rest(); }
    ProgramRace(ProgramRace const&) = delete;
    ProgramRace& operator=(ProgramRace const&) = delete;

    void make_ready() { find_parallel(); }
    // As Runtime::run(). The limit of memory is for both programs together. After each look, one of them may give way
    // (who_gives_way()). It does not come back, even if the other one then ends without a result.
    Outcome run(Word* input, Limits const& limits);
    void rouse();
    void rest();
    bool is_busy() { return sequential_->is_busy() || (parallel_ != nullptr && parallel_->is_busy()); }
    std::size_t memory_limit() const { return sequential_->memory_limit(); }
    // Workers of the parallel program that had begun the last run or were called to join it; one if it did not run.
    std::size_t workers() const { return parallel_began_ ? parallel_->workers() : 1; }
    bool parallel_began() const { return parallel_began_; }
    bool parallel_won() const { return winner_ != sequential_.get(); }
    // The runtime that has the result of the last run.
    Runtime const& winner() const { return *winner_; }

private:
    void find_parallel();
    bool begin_parallel(Word* input, Limits const& limits);
    Outcome race(Limits const& limits);
    Outcome won_by(Runtime& winner, Outcome outcome);
    void compare();
    double seconds() const;

    std::unique_ptr<Runtime> sequential_;
    std::unique_ptr<Runtime> parallel_;
    MakeParallel make_parallel_;  // empty after it threw
    Runtime const* winner_;
    std::chrono::steady_clock::time_point start_;
    double head_start_ = 0;       // of the sequential program, in seconds
    std::size_t max_memory_ = 0;  // of both programs
    bool sequential_abandoned_ = false;
    bool parallel_abandoned_ = false;
    bool parallel_began_ = false;  // a run writes it under mutex_

    std::mutex mutex_;
    std::atomic<bool> sequential_decided_{false};  // a run writes it under mutex_
};

}  // namespace lockstep::term_rewriting::compiled
