#pragma once
// The workers of a run. It may begin with one of them; others join while it goes on, and no loop over the workers needs
// a lock.

#include <atomic>
#include <cstddef>
#include <memory>

#include "baselines/term_rewriting/compiled/worker.hpp"

namespace lockstep::term_rewriting::compiled {

class Crew {
public:
    explicit Crew(std::size_t capacity) : states_(new std::unique_ptr<WorkerState>[capacity]()), capacity_(capacity) {}

    // Loops and indices are over the workers that take part. Workers that join during a loop may be left out: they look
    // for a request to stop or to wait before they begin.
    std::unique_ptr<WorkerState> const* begin() const { return states_.get(); }
    std::unique_ptr<WorkerState> const* end() const { return states_.get() + size(); }
    std::size_t size() const { return size_.load(std::memory_order_acquire); }
    WorkerState& operator[](std::size_t index) const { return *states_[index]; }
    bool is_first(WorkerState const& state) const { return &state == states_[0].get(); }

    // For the thread that begins the run, and for the one that lets workers join.
    std::size_t capacity() const { return capacity_; }
    std::size_t made() const { return made_; }
    void make(std::unique_ptr<WorkerState> state) { states_[made_++] = std::move(state); }
    // Precondition: `count` workers are made.
    void take_part(std::size_t count) { size_.store(count, std::memory_order_release); }

private:
    std::unique_ptr<std::unique_ptr<WorkerState>[]> states_;
    std::size_t capacity_;
    std::size_t made_ = 0;
    std::atomic<std::size_t> size_{0};
};

}  // namespace lockstep::term_rewriting::compiled
