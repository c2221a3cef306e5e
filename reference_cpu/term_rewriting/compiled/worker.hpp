#pragma once
// One worker of the compiled rewriter: its nursery, its stacks, its spawned tasks. Terms that another worker may see
// are old ones, so a worker empties its nursery by itself, whenever it likes.

#include <chrono>
#include <csetjmp>
#include <memory>
#include <vector>

#include "reference_cpu/term_rewriting/compiled/memory.hpp"

namespace lockstep::term_rewriting::compiled {

class Runtime;

// A task that its owner gave to another worker.
struct Given {
    Task run = nullptr;
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
    WorkerState(Runtime& runtime, std::size_t rules, std::size_t memory);

    Worker* worker() { return worker_; }
    void call() { __atomic_store_n(&worker_->limit, static_cast<Word*>(nullptr), __ATOMIC_SEQ_CST); }
    void uncall() { __atomic_store_n(&worker_->limit, nursery_end, __ATOMIC_SEQ_CST); }
    // Copies what the stack of terms reaches from the nursery into the old space, and empties the nursery, which
    // afterwards has room for `words`. False where there is no memory.
    bool empty_nursery(OldSpace& old, std::size_t words);
    std::size_t memory_bytes() const;
    std::uint64_t rewrites() const;
    void forget_chunk() { chunk_ = chunk_end_ = nullptr; }

    Runtime& runtime;
    // Published before the runtime is entered.
    Word* heap = nullptr;
    Word* stack = nullptr;
    Word* nursery_end = nullptr;
    Spawned* first_kept = nullptr;  // tasks below it have been given away
    char const* native_base = nullptr;
    std::jmp_buf exit;

    std::atomic<bool> tick{false};
    std::atomic<WorkerState*> request{nullptr};  // a worker that wants a task
    Answer answer;
    std::size_t asked = 0;                  // workers so far
    std::chrono::microseconds patience{0};  // before the next is asked
    std::atomic<std::uint64_t> published_rewrites{0};
    std::atomic<std::size_t> published_memory{0};

    Word* stack_base() const { return stack_memory_.begin(); }
    Reserved const& native_memory() const { return native_memory_; }
    void reset();

private:
    Word* evacuated(OldSpace& old, Word* term);
    Word* take_old(OldSpace& old, std::size_t words);

    std::size_t rules_;
    std::size_t memory_;
    std::unique_ptr<Word[]> worker_words_;
    Worker* worker_;
    Reserved nursery_;
    std::size_t nursery_words_ = 0;
    Reserved stack_memory_;
    Reserved native_memory_;
    Reserved spawned_memory_;
    Word* chunk_ = nullptr;
    Word* chunk_end_ = nullptr;
    std::vector<std::pair<Word*, Word*>> to_scan_;  // copied in this collection
    bool no_memory_ = false;
};

}  // namespace lockstep::term_rewriting::compiled
