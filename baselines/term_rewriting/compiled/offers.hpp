#pragma once
// When other workers may ask a worker for a task. Each answer costs its owner time: it empties its nursery first.

#include <algorithm>
#include <atomic>
#include <chrono>

namespace lockstep::term_rewriting::compiled {

class Offers {
public:
    using Clock = std::chrono::steady_clock;
    using Time = std::chrono::nanoseconds;

    void reset(bool has_tasks) {
        has_tasks_ = has_tasks;
        closed_until_ = closed_for_ = 0;
    }
    void set_has_tasks(bool has_tasks) { has_tasks_.store(has_tasks); }

    // Any thread may ask.
    bool are_open(Clock::time_point now) const {
        return has_tasks_.load(std::memory_order_relaxed) &&
               now.time_since_epoch().count() >= closed_until_.load(std::memory_order_relaxed);
    }

    // Learns from a task whose owner spent `cost` to give it. For the time `gain`, both workers had work. If that did
    // not pay, `next` is closed for a while: the worker that goes on with the remaining work. The time is long enough
    // that such answers take a small part of that worker's time, and it doubles with each of them.
    static void learn(Offers& owner, Offers& next, Time cost, Time gain, Clock::time_point now) {
        if (gain >= worthwhile * cost) {
            owner.closed_for_ = next.closed_for_ = 0;
            return;
        }
        Time const twice(2 * std::max(owner.closed_for_.load(), next.closed_for_.load()));
        Time const closed = std::max(std::min(twice, longest), parts * cost);
        next.closed_for_ = closed.count();
        next.closed_until_ = (now + closed).time_since_epoch().count();
    }

    // A task pays if both workers have work for this many times the cost of giving it.
    static constexpr int worthwhile = 4;
    // Answers that do not pay take at most one part in this many of a worker's time.
    static constexpr int parts = 16;
    // Doubling ends here.
    static constexpr Time longest = std::chrono::milliseconds(1);

private:
    std::atomic<bool> has_tasks_{true};
    std::atomic<Clock::rep> closed_until_{0};
    std::atomic<Time::rep> closed_for_{0};
};

}  // namespace lockstep::term_rewriting::compiled
