#pragma once
// One worker of the compiled rewriter: its nursery, its stacks, its spawned tasks. Terms that another worker may see
// are old ones, so a worker empties its nursery by itself, whenever it likes.

#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <memory>
#include <mutex>
#include <vector>

#include "baselines/term_rewriting/compiled/memory.hpp"

namespace lockstep::term_rewriting::compiled {

class Runtime;

class WorkerState;

// A task that its owner gave to another worker.
struct Given {
    Task const* task = nullptr;
    WorkerState* owner = nullptr;
    std::vector<Word> captured;  // old terms; empty once the other worker has them
    Word* value = nullptr;       // an old term
    std::atomic<bool> done{false};
};

// What a worker that asked for work is told.
struct Answer {
    enum class Kind { waiting, nothing, task };
    std::atomic<Kind> kind{Kind::nothing};
    Given* task = nullptr;
};

class WorkerState {
public:
    WorkerState(Runtime& runtime, std::size_t index, Program const& program, std::size_t memory);

    Worker* worker() { return worker_; }
    // Has this worker poll at its next check, or now if it rests. By any thread.
    void call();
    // Until the worker is called, at most for `time`.
    void rest(std::chrono::microseconds time);
    void uncall() { __atomic_store_n(&worker_->limit, nursery_end, __ATOMIC_SEQ_CST); }
    // Copies what the stack of terms reaches from the nursery into the old space, and empties the nursery, which
    // afterwards has room for `words`. False where there is no memory.
    bool empty_nursery(OldSpace& old, std::size_t words);
    std::size_t memory_bytes() const;
    std::uint64_t rewrites() const;
    void forget_chunk() { chunk_ = chunk_end_ = nullptr; }

    Runtime& runtime;
    std::size_t const index;  // among the workers
    TermLayout const& layout() const { return layout_; }
    // Published before the runtime is entered.
    Word* heap = nullptr;
    Word* stack = nullptr;
    Word* nursery_end = nullptr;
    char const* native_base = nullptr;
    std::jmp_buf exit;

    std::atomic<bool> tick{false};
    std::atomic<WorkerState*> request{nullptr};  // a worker that wants a task
    Answer answer;
    std::atomic<bool> offers{true};  // false: it has no task to give, and need not be asked
    std::size_t next_asked = 0;
    std::chrono::microseconds patience{0};  // before others are asked again
    // Tasks that it gave away and has not joined, as they stand on its stack of tasks. Others look at it only while
    // this worker is parked.
    std::vector<std::unique_ptr<Given>> given;
    std::atomic<std::uint64_t> published_rewrites{0};
    std::atomic<std::size_t> published_memory{0};

    Word* stack_base() const { return stack_memory_.begin(); }
    ReservedMemory const& native_memory() const { return native_memory_; }
    void reset();

private:
    template <class Terms>
    class Evacuation;

    Program const& program_;
    std::atomic<bool> resting_{false};
    std::mutex rest_mutex_;
    std::condition_variable called_;
    TermLayout layout_;
    std::size_t rules_;
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
