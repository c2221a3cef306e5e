#pragma once
// Runs a compiled program on one or more workers. A worker requests a task from another worker, which answers at its
// next check for room and passes on its oldest task (U. Acar, A. Chargueraud, M. Rainey, "Scheduling parallel programs
// by work stealing with private deques", PPoPP 2013). The owner empties its nursery first, so all terms that two
// workers see are old, and each worker collects its nursery without synchronisation. The old space is collected while
// all other workers wait.

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "baselines/term_rewriting/compiled/worker.hpp"
#include "common/term_rewriting/engine.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::term_rewriting::compiled {

// Set in the head of an input term that contains a defined symbol.
constexpr Word pending_mark = Word{1} << 62;

class Runtime {
public:
    // `defined`: per symbol, true if it is a defined symbol. Creates the threads, so that no run does. Has fewer
    // workers if the system refuses some threads.
    Runtime(Program const& program, std::vector<bool> defined, std::size_t workers, std::size_t memory);
    ~Runtime();

    // Rewrites the input term, whose heads have pending_mark as needed. The input does not change. Ignores the memory
    // limit of `limits`: the constructor sets it.
    Outcome run(Word* input, Limits const& limits);
    // Wakes the threads for a run that starts now.
    void rouse() { pool_->rouse(); }
    std::size_t memory_limit() const { return limits_.memory; }
    Word* result() const { return result_; }
    // Returns the space of old terms, which contains all terms of the result that the run built: its first word and its
    // number of used words.
    std::pair<Word const*, std::size_t> old_terms() const { return {old_.begin(), old_.used_bytes() / sizeof(Word)}; }

    // For generated code and for the evaluation of the input.
    static Word* attend(Worker* worker, Word* heap, Word* stack, Word words);
    static Result join(Worker* worker, Word* heap, Word* stack);
    static bool equal(Worker const* worker, Word const* left, Word const* right);

private:
    static Result evaluate(Worker* worker, Word* heap, Word* stack, Word* term);
    static Result evaluate_captured(Worker* worker, Word* heap, Word* stack, Word* captured);
    static Task const evaluate_argument;

    void run_worker(WorkerState& me) noexcept;
    void work(WorkerState& me);
    void watch();
    void poll(WorkerState& me);
    void make_room(WorkerState& me, std::size_t words);
    // Moves the term to the old space and returns its new address.
    Word* made_old(WorkerState& me, Word* term);
    void check_limits(WorkerState& me);
    [[noreturn]] void stop(WorkerState& me, End end);
    void stop_all();
    void answer(WorkerState& me);
    Given* ask_for_task(WorkerState& me);
    void find_and_run(WorkerState& me, Given const* awaited);
    void run_given(WorkerState& me, Given& given);
    // Returns the size in bytes of the old terms up to which a collection is not worthwhile.
    std::size_t small_heap() const { return std::min(std::size_t{512} << 20, limits_.memory / 2); }
    void collect_old(WorkerState& me);
    void move_roots();
    void park(WorkerState& me);

    Program const& program_;
    std::vector<bool> defined_;
    Limits limits_;
    OldSpace old_;
    std::vector<std::unique_ptr<WorkerState>> workers_;
    Word* input_ = nullptr;
    Word* result_ = nullptr;
    double seconds_ = 0;
    double processor_seconds_ = 0;
    std::chrono::steady_clock::time_point start_;
    std::size_t max_memory_ = 0;

    std::atomic<bool> stopped_{false};
    std::atomic<bool> pausing_{false};
    std::atomic<std::size_t> collect_at_{0};  // bytes of old terms
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t running_ = 0;  // workers that have not finished
    std::size_t parked_ = 0;   // running workers that wait for the end of a collection
    bool finished_ = false;
    End end_ = End::finished;

    std::unique_ptr<threads::Pool> pool_;  // destroyed first: its stacks belong to the workers
};

}  // namespace lockstep::term_rewriting::compiled
