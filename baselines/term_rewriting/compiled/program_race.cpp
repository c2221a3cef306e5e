#include "baselines/term_rewriting/compiled/program_race.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace lockstep::term_rewriting::compiled {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Of the sequential program. Waking a thread of the parallel one for a shorter term would cost the caller more than
// the term.
constexpr Seconds usual_head_start(10e-6);
// Between two looks at a sequential program that goes on alone.
constexpr Seconds longest_pause(5e-3);

// Returns true for an end that the other program would also reach.
bool decides(End end) { return end == End::finished || end == End::too_many_rewrites; }

}  // namespace

GivesWay who_gives_way(Progress const& sequential, Progress const& parallel, std::size_t memory_limit) {
    if (sequential.memory + parallel.memory > memory_limit)
        return parallel.rewrites > sequential.rewrites ? GivesWay::sequential : GivesWay::parallel;
    bool const far_behind = sequential.answered && parallel.rewrites > 2 * sequential.rewrites;
    return far_behind ? GivesWay::sequential : GivesWay::nobody;
}

ProgramRace::ProgramRace(std::unique_ptr<Runtime> sequential, MakeParallel make_parallel)
    : sequential_(std::move(sequential)), make_parallel_(std::move(make_parallel)), winner_(sequential_.get()) {
    sequential_->when_decided = [this] {
        std::unique_lock const lock(mutex_);
        sequential_decided_ = true;
        if (parallel_began_)
            parallel_->abandon();
    };
}

void ProgramRace::rouse() {
    sequential_->rouse();
    if (parallel_ != nullptr)
        parallel_->rouse();
}

void ProgramRace::rest() {
    sequential_->rest();
    if (parallel_ != nullptr)
        parallel_->rest();
}

double ProgramRace::seconds() const { return Seconds(Clock::now() - start_).count(); }

void ProgramRace::find_parallel() {
    if (parallel_ != nullptr || !make_parallel_)
        return;
    try {
        parallel_ = make_parallel_();
    } catch (std::exception const&) {
        make_parallel_ = nullptr;
    }
}

Outcome ProgramRace::run(Word* input, Limits const& limits) {
    rest();
    sequential_decided_ = parallel_began_ = sequential_abandoned_ = parallel_abandoned_ = false;
    max_memory_ = 0;
    start_ = Clock::now();
    sequential_->begin(input, limits, false);
    Runtime::StopOnRequest const on_request(limits.stop, *sequential_);
    Seconds pause = parallel_ == nullptr ? Seconds(first_pause) : usual_head_start;
    while (!sequential_->ends_within(pause)) {
        if (parallel_ == nullptr) {
            sequential_->look(false);  // makes it check the limits, even if it does not allocate
            if (limits.watch)
                limits.watch();
            Seconds const elapsed(seconds());
            if (elapsed >= short_run_without_threads)
                find_parallel();
            pause = std::clamp(elapsed, Seconds(first_pause), longest_pause);
        }
        if (parallel_ != nullptr && begin_parallel(input, limits))
            return race(limits);
    }
    return won_by(*sequential_, sequential_->wait(limits));
}

// Returns false if the sequential program has decided the race.
bool ProgramRace::begin_parallel(Word* input, Limits const& limits) {
    head_start_ = seconds();
    Limits own = limits;
    own.seconds -= head_start_;
    std::unique_lock const lock(mutex_);
    if (sequential_decided_.load())
        return false;
    parallel_->begin(input, own, true);
    parallel_began_ = true;
    return true;
}

Outcome ProgramRace::race(Limits const& limits) {
    Limits own = limits;
    own.watch = [&] {
        if (limits.watch)
            limits.watch();
        compare();
    };
    Outcome outcome = parallel_->wait(own);
    outcome.seconds += head_start_;
    if (limits.stops_in_background && limits.stop.stop_requested()) {
        sequential_->abandon();  // the callback of run() may end before it is called
        return won_by(*parallel_, std::move(outcome));
    }
    // A rule of Limits::stop_after also decides, but neither a stop request nor the other program does.
    bool const by_rule = outcome.end == End::stopped && !parallel_abandoned_ && !limits.stop.stop_requested();
    if (!decides(outcome.end) && (sequential_decided_.load() || !(by_rule || sequential_abandoned_)))
        return won_by(*sequential_, sequential_->wait(limits));
    sequential_->abandon();
    return won_by(*parallel_, std::move(outcome));
}

Outcome ProgramRace::won_by(Runtime& winner, Outcome outcome) {
    winner_ = &winner;
    outcome.memory = std::max<std::uint64_t>(outcome.memory, max_memory_);
    return outcome;
}

// Called after each look at the parallel program.
void ProgramRace::compare() {
    if (sequential_abandoned_ || parallel_abandoned_)
        return;
    if (!sequential_->is_busy())
        return;  // it has ended without a result
    Progress const sequential = sequential_->look(true);
    Progress const parallel = parallel_->progress();
    max_memory_ = std::max(max_memory_, sequential.memory + parallel.memory);
    switch (who_gives_way(sequential, parallel, memory_limit())) {
        case GivesWay::sequential:
            sequential_abandoned_ = true;
            return sequential_->abandon();
        case GivesWay::parallel:
            parallel_abandoned_ = true;
            return parallel_->abandon();
        case GivesWay::nobody:
            return;
    }
}

}  // namespace lockstep::term_rewriting::compiled
