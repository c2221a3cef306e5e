// Runtime: how workers share tasks and wait for a collection of the old space.

#include <algorithm>
#include <chrono>
#include <thread>

#include "baselines/term_rewriting/compiled/runtime.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

// Handles requests to a worker. Resets the limit first, so the worker sees a later call at its next check. An answer or
// a collection takes long and changes the limit, so the requests that came meanwhile are handled too.
void Runtime::poll(WorkerState& me) {
    for (;;) {
        me.uncall();
        if (stopped_.load())
            stop(me, End::finished);
        if (me.tick.load()) {
            check_limits(me);
            me.tick.store(false);  // says that the progress is published
        }
        if (me.request.load() != nullptr)
            answer(me);
        else if (pausing_.load())
            park(me);
        else
            break;
    }
}

void Runtime::answer(WorkerState& me) {
    WorkerState* const thief = me.request.exchange(nullptr);
    if (thief == nullptr)
        return;
    Clock::time_point const start = Clock::now();
    if (!me.given.empty() && me.given.back()->done.load())
        me.learn_from(*me.given.back());
    if (me.worker()->first_kept >= me.worker()->top || !me.offers.are_open(start)) {
        thief->answer.kind.store(Answer::Kind::nothing);
        return;
    }
    // The other worker must see only old terms.
    if (!me.empty_nursery(old_, 0, stopped_)) {
        thief->answer.kind.store(Answer::Kind::nothing);
        stop(me, End::out_of_memory);
    }
    Spawned const& spawned = *me.worker()->first_kept++;
    me.given.push_back(std::make_unique<Given>());
    Given& given = *me.given.back();
    given.task = spawned.task;
    given.owner = &me;
    given.captured.assign(spawned.captured, spawned.captured + spawned.task->captured);
    given.runner = thief;
    given.given_at = Clock::now();
    given.cost = given.given_at - start;
    thief->answer.task = &given;
    thief->answer.kind.store(Answer::Kind::task);
}

// Asks the other workers that may have tasks, in order, until one provides a task. Returns null if none does.
Given* Runtime::ask_for_task(WorkerState& me) {
    std::size_t const count = workers_.size();
    Clock::time_point const now = Clock::now();
    for (std::size_t asked = 0; asked < count; ++asked, ++me.next_asked) {
        WorkerState& victim = workers_[me.next_asked % count];
        if (&victim == &me || !victim.offers.are_open(now))
            continue;
        me.answer.kind.store(Answer::Kind::waiting);
        WorkerState* none = nullptr;
        if (!victim.request.compare_exchange_strong(none, &me))
            continue;
        victim.call();
        while (me.answer.kind.load() == Answer::Kind::waiting) {
            poll(me);
            std::this_thread::yield();
        }
        if (me.answer.kind.load() == Answer::Kind::task)
            return me.answer.task;
    }
    return nullptr;
}

// Runs a task of another worker if there is one, else rests; the completion of the awaited task ends the rest. A worker
// that finds no task, or only a short one, asks less often, because each answer costs the owner time.
void Runtime::find_and_run(WorkerState& me, Given const* awaited) {
    me.offers.set_has_tasks(me.worker()->first_kept < me.worker()->top);
    poll(me);
    Given* const given = ask_for_task(me);
    if (given != nullptr) {
        me.offers.set_has_tasks(true);
        Clock::time_point const start = Clock::now();
        run_given(me, *given);
        if (Clock::now() - start > std::chrono::microseconds(500)) {
            me.patience = std::chrono::microseconds(0);
            return;
        }
    }
    me.patience = std::clamp<std::chrono::microseconds>(me.patience * 2, std::chrono::microseconds(10),
                                                        std::chrono::microseconds(1000));
    if (awaited == nullptr || !awaited->done.load())
        me.rest(me.patience);
}

void Runtime::run_given(WorkerState& me, Given& given) {
    Word* const base = me.stack;
    Clock::time_point const start = Clock::now();
    std::size_t const count = given.captured.size();
    std::copy(given.captured.begin(), given.captured.end(), base);
    given.captured.clear();
    me.stack = base + count;
    Result const result = given.task->run(me.worker(), me.heap, me.stack, base);
    me.heap = result.heap;
    me.stack = base;
    // No poll between here and `done`: from now on the value is a root of the owner's given tasks.
    given.value = made_old(me, result.value);
    WorkerState& owner = *given.owner;
    given.taken = Clock::now() - start;
    given.done.store(true);  // last use of `given`: its owner may then destroy it
    owner.call();
}

Result Runtime::join(Worker* worker, Word* heap, Word* stack) {
    WorkerState& me = *static_cast<WorkerState*>(worker->runtime);
    // The oldest tasks are given first and joined last.
    Given& given = *me.given.back();
    me.heap = heap;
    me.stack = stack;
    worker->first_kept = worker->top;
    me.learn_from(given);
    while (!given.done.load())
        me.runtime.find_and_run(me, &given);
    me.offers.set_has_tasks(true);
    Word* const value = given.value;
    me.given.pop_back();
    return {value, me.heap};
}

void Runtime::park(WorkerState& me) {
    bool const room = me.empty_nursery(old_, 0, stopped_);
    me.forget_chunk();
    {
        std::unique_lock lock(mutex_);
        ++parked_;
        changed_.notify_all();
        for (std::uint64_t seen = collections_;; ++seen) {
            changed_.wait(lock, [&] { return collections_ != seen || !pausing_.load() || stopped_.load(); });
            if (collections_ == seen)
                break;
            lock.unlock();
            copy_from(me);
            lock.lock();
            --copying_;
            changed_.notify_all();
        }
        --parked_;
    }
    if (!room)
        stop(me, End::out_of_memory);
    if (stopped_.load())
        stop(me, End::finished);  // a collection may have ended in the middle
}

// Precondition: the nursery is empty. The others call park() at their next check. When they all wait there, all workers
// collect together.
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
    bool full = false;
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return parked_ + 1 >= running_ || stopped_.load(); });
        if (!stopped_.load()) {
            me.forget_chunk();
            max_memory_ = std::max(max_memory_, old_.used_bytes());
            collection_ = std::make_unique<Collection>(old_, parked_ + 1);
            copying_ = parked_;
            ++collections_;
            changed_.notify_all();
            lock.unlock();
            copy_from(me);
            lock.lock();
            changed_.wait(lock, [this] { return copying_ == 0; });
            full = collection_->is_full();
            old_.change_half(collection_->end());
        }
        live = old_.used_bytes();
        // Copying needs room for a second copy of the live terms.
        std::size_t const half = limits_.memory / 2;
        collect_at_ = std::min(std::max(3 * live, small_heap()), std::max(half, live + (limits_.memory - live) / 4));
        stopped_ = stopped_ || full;
        pausing_ = false;
        changed_.notify_all();
    }
    if (full || live > limits_.memory / 20 * 9)
        stop(me, End::out_of_memory);
}

// The worker's part of a collection: the terms that its own roots refer to, and a share of what all roots refer to.
void Runtime::copy_from(WorkerState& me) {
    Copier copier(*collection_);
    for (Word* slot = me.stack_base(); slot < me.stack; ++slot)
        *slot = reinterpret_cast<Word>(copier.moved(reinterpret_cast<Word*>(*slot)));
    for (auto const& given : me.given) {
        for (Word& captured : given->captured)
            captured = reinterpret_cast<Word>(copier.moved(reinterpret_cast<Word*>(captured)));
        given->value = given->value == nullptr ? nullptr : copier.moved(given->value);
    }
    copier.finish();
}

}  // namespace lockstep::term_rewriting::compiled
