#pragma once
// One worker of the compiled rewriter: its nursery, its stacks, its spawned tasks. Other workers see only old terms, so
// a worker can empty its nursery at any time without synchronisation.

#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <memory>
#include <mutex>
#include <vector>

#include "baselines/term_rewriting/compiled/memory.hpp"
#include "baselines/term_rewriting/compiled/offers.hpp"

namespace lockstep::term_rewriting::compiled {

class Runtime;

class WorkerState;

// A task that its owner gave to another worker.
struct Given {
    Task const* task = nullptr;
    WorkerState* owner = nullptr;
    std::vector<Word> captured;     // old terms; empty once the other worker has them
    Word* value = nullptr;          // an old term
    WorkerState* runner = nullptr;  // the other worker
    std::chrono::steady_clock::time_point given_at;
    std::chrono::nanoseconds cost{0};   // the owner's time to give it
    std::chrono::nanoseconds taken{0};  // the other worker's time to run it
    std::atomic<bool> done{false};
    bool judged = false;  // by learn_from()
};

// The answer to a worker that requested a task.
struct Answer {
    enum class Kind { waiting, nothing, task };
    std::atomic<Kind> kind{Kind::nothing};
    Given* task = nullptr;
};

class WorkerState {
public:
    WorkerState(Runtime& runtime, std::size_t index, Program const& program, std::size_t memory);

    Worker* worker() { return worker_; }
    // Makes this worker poll at its next check, or now if it rests. Any thread may call this.
    void call();
    // The same, but a worker that rests goes on resting.
    void call_later() { __atomic_store_n(&worker_->limit, static_cast<Word*>(nullptr), __ATOMIC_SEQ_CST); }
    // Learns from a given task, once, whether to give more of them. Call this when the task is done, or when this
    // worker has nothing else to do until then.
    void learn_from(Given& task);
    // Publishes what this worker has done, and what waits.
    void publish();
    // Waits until the worker is called, for at most `time`. Meanwhile it is not active.
    void rest(std::chrono::microseconds time);
    void uncall() { __atomic_store_n(&worker_->limit, nursery_end - limit_slack, __ATOMIC_SEQ_CST); }
    // Copies the terms that are reachable from the stack of terms from the nursery into the old space, and empties the
    // nursery, which then has room for `words`. Returns false if there is not enough memory, or if `stopped` becomes
    // true, after which nobody needs the terms.
    bool empty_nursery(OldSpace& old, std::size_t words, std::atomic<bool> const& stopped);
    // True while the worker works: not before it begins, and not while it rests.
    bool is_active() const { return active_.load(); }
    void set_active(bool active) { active_.store(active); }
    std::size_t memory_bytes() const;
    // Modulo 2^64. With several workers only the sum over them means something: one may make a call that another
    // counts.
    std::uint64_t rewrites() const;
    std::size_t waiting() const {
        return worker_->top > worker_->first_kept ? static_cast<std::size_t>(worker_->top - worker_->first_kept) : 0;
    }
    void forget_chunk() { chunk_ = chunk_end_ = nullptr; }

    Runtime& runtime;
    std::size_t const index;  // among the workers
    TermLayout const& layout() const { return layout_; }
    // Updated before each call into the runtime.
    Word* heap = nullptr;
    Word* stack = nullptr;
    Word* nursery_end = nullptr;
    char const* native_base = nullptr;
    std::jmp_buf exit;

    std::atomic<bool> tick{false};
    std::atomic<WorkerState*> request{nullptr};  // a worker that wants a task
    Answer answer;
    Offers offers;
    std::size_t next_asked = 0;
    std::chrono::microseconds patience{0};  // rest before it asks others again
    // Tasks that it gave to other workers and has not joined, in the order of its stack of tasks. Other workers read it
    // only while this worker is parked.
    std::vector<std::unique_ptr<Given>> given;
    std::atomic<std::uint64_t> published_rewrites{0};
    std::atomic<std::size_t> published_memory{0};
    std::atomic<std::size_t> published_waiting{0};  // tasks that other workers could take

    Word* stack_base() const { return stack_memory_.begin(); }
    ReservedMemory const& native_memory() const { return native_memory_; }
    void reset();

private:
    template <class Terms>
    class Evacuation;

    void find_weights();

    Program const& program_;
    std::atomic<bool> active_{false};
    std::atomic<bool> resting_{false};
    std::mutex rest_mutex_;
    std::condition_variable called_;
    TermLayout layout_;
    std::size_t rules_;
    std::vector<Word> weights_;  // per rule: by how much an application that is counted increases rewrites()
    std::size_t memory_;
    std::unique_ptr<Word[]> worker_words_;
    Worker* worker_;
    ReservedMemory nursery_;
    std::size_t nursery_words_ = 0;
    ReservedMemory stack_memory_;
    ReservedMemory native_memory_;
    ReservedMemory spawned_memory_;
    Word* chunk_ = nullptr;
    Word* chunk_end_ = nullptr;
    std::vector<std::pair<Word*, Word*>> scanned_;  // segments of the old space that this collection fills
};

}  // namespace lockstep::term_rewriting::compiled
