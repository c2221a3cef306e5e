// Runtime: how workers share tasks and wait for a collection of the old space.

#include <algorithm>
#include <chrono>
#include <thread>

#include "reference_cpu/term_rewriting/compiled/runtime.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

// What a worker was called for. The room is set first: a call that comes later is then seen at the next check.
void Runtime::poll(WorkerState& me) {
    me.uncall();
    if (stopped_.load())
        stop(me, End::finished);
    if (me.tick.exchange(false))
        check_limits(me);
    if (me.request.load() != nullptr)
        answer(me);
    if (pausing_.load())
        park(me);
}

void Runtime::answer(WorkerState& me) {
    WorkerState* const thief = me.request.exchange(nullptr);
    if (thief == nullptr)
        return;
    if (me.first_kept >= me.worker()->top) {
        thief->answer.kind.store(Answer::Kind::nothing);
        return;
    }
    // The other worker must see old terms only.
    if (!me.empty_nursery(old_, 0)) {
        thief->answer.kind.store(Answer::Kind::nothing);
        stop(me, End::out_of_memory);
    }
    me.uncall();
    Spawned& spawned = *me.first_kept++;
    auto given = std::make_unique<Given>();
    given->run = spawned.run;
    given->captured.assign(spawned.captured, spawned.captured + spawned.count);
    spawned.given = given.get();
    thief->answer.task = given.get();
    {
        std::unique_lock const lock(mutex_);
        given_.push_back(std::move(given));
    }
    thief->answer.kind.store(Answer::Kind::task);
}

// Asks one other worker, the next in turn. Null where it has nothing.
Given* Runtime::ask_for_task(WorkerState& me) {
    std::size_t const count = workers_.size();
    std::size_t const mine = static_cast<std::size_t>(
        std::find_if(workers_.begin(), workers_.end(), [&](auto const& w) { return w.get() == &me; }) -
        workers_.begin());
    WorkerState& victim = *workers_[(mine + 1 + me.asked++ % (count - 1)) % count];
    me.answer.kind.store(Answer::Kind::waiting);
    WorkerState* none = nullptr;
    if (!victim.request.compare_exchange_strong(none, &me))
        return nullptr;
    victim.call();
    while (me.answer.kind.load() == Answer::Kind::waiting) {
        poll(me);
        std::this_thread::yield();
    }
    return me.answer.kind.load() == Answer::Kind::task ? me.answer.task : nullptr;
}

// True where some work was done. A worker that finds none, or only little, asks less often: an answer costs its giver
// time.
bool Runtime::find_and_run(WorkerState& me) {
    poll(me);
    Given* const given = workers_.size() > 1 ? ask_for_task(me) : nullptr;
    Clock::time_point const start = Clock::now();
    if (given != nullptr) {
        run_given(me, *given);
        if (Clock::now() - start > std::chrono::microseconds(500)) {
            me.patience = std::chrono::microseconds(0);
            return true;
        }
    }
    me.patience = std::clamp<std::chrono::microseconds>(me.patience * 2, std::chrono::microseconds(10),
                                                        std::chrono::microseconds(1000));
    std::this_thread::sleep_for(me.patience);
    return given != nullptr;
}

void Runtime::run_given(WorkerState& me, Given& given) {
    Word* const base = me.stack;
    std::size_t const count = given.captured.size();
    std::copy(given.captured.begin(), given.captured.end(), base);
    given.captured.clear();
    me.stack = base + count;
    Result const result = given.run(me.worker(), me.heap, me.stack, base);
    me.heap = result.heap;
    me.stack = base;
    // No poll between here and done: from now on the value is among the given tasks' roots.
    given.value = made_old(me, result.value);
    given.done.store(true);
}

Result Runtime::join(Worker* worker, Word* heap, Word* stack, Spawned* spawned) {
    WorkerState& me = *static_cast<WorkerState*>(worker->runtime);
    Given& given = *static_cast<Given*>(spawned->given);
    me.heap = heap;
    me.stack = stack;
    me.first_kept = std::min(me.first_kept, spawned);
    while (!given.done.load()) {
        if (me.runtime.workers_.size() > 2)
            me.runtime.find_and_run(me);
        else
            me.runtime.poll(me), std::this_thread::yield();
    }
    Word* const value = given.value;
    {
        std::unique_lock const lock(me.runtime.mutex_);
        auto& all = me.runtime.given_;
        auto const at = std::find_if(all.begin(), all.end(), [&](auto const& one) { return one.get() == &given; });
        std::iter_swap(at, all.end() - 1);
        all.pop_back();
    }
    return {value, me.heap};
}

void Runtime::park(WorkerState& me) {
    bool const room = me.empty_nursery(old_, 0);
    me.uncall();
    me.forget_chunk();
    {
        std::unique_lock lock(mutex_);
        ++parked_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return !pausing_.load() || stopped_.load(); });
        --parked_;
    }
    if (!room)
        stop(me, End::out_of_memory);
}

// Called with an empty nursery. One worker collects; the others come to park() at their next check.
void Runtime::collect_old(WorkerState& me) {
    bool expected = false;
    if (!pausing_.compare_exchange_strong(expected, true)) {
        park(me);
        return;
    }
    for (auto const& state : workers_) {
        if (state.get() != &me)
            state->call();
    }
    std::size_t live = 0;
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return parked_ + 1 >= running_ || stopped_.load(); });
        if (!stopped_.load()) {
            me.forget_chunk();
            most_memory_ = std::max(most_memory_, old_.used_bytes());
            old_.begin_collection();
            move_roots();
            old_.finish_collection();
        }
        live = old_.used_bytes();
        // Copying needs room for what is live once more.
        std::size_t const half = limits_.memory / 2;
        collect_at_ = std::min(std::max(3 * live, small_heap()), std::max(half, live + (limits_.memory - live) / 4));
        pausing_ = false;
        changed_.notify_all();
    }
    if (live > limits_.memory / 20 * 9)
        stop(me, End::out_of_memory);
}

void Runtime::move_roots() {
    for (auto const& state : workers_) {
        for (Word* slot = state->stack_base(); slot < state->stack; ++slot)
            *slot = reinterpret_cast<Word>(old_.move(reinterpret_cast<Word*>(*slot)));
    }
    for (auto const& given : given_) {
        for (Word& captured : given->captured)
            captured = reinterpret_cast<Word>(old_.move(reinterpret_cast<Word*>(captured)));
        given->value = given->value == nullptr ? nullptr : old_.move(given->value);
    }
}

}  // namespace lockstep::term_rewriting::compiled
