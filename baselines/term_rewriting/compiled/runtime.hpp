#pragma once
// Runs a compiled program on one or more workers. A worker requests a task from another worker, which answers at its
// next check for room and passes on its oldest task (U. Acar, A. Chargueraud, M. Rainey, "Scheduling parallel programs
// by work stealing with private deques", PPoPP 2013). The owner empties its nursery first, so all terms that two
// workers see are old, and each worker collects its nursery without synchronisation. For a collection of the old space,
// all workers stop rewriting and copy together.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "baselines/term_rewriting/compiled/collection.hpp"
#include "baselines/term_rewriting/compiled/crew.hpp"
#include "common/term_rewriting/engine.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::term_rewriting::compiled {

// What a run has done so far, when its workers last said so.
struct Progress {
    double seconds = 0;
    std::uint64_t rewrites = 0;
    std::size_t memory = 0;  // bytes in use
    std::size_t workers = 0;
    std::size_t waiting = 0;  // tasks that no worker has begun
    bool answered = false;    // a worker works, and all that do have said this at the last look
};

// Workers join neither a shorter run nor one of few rewrites: they would take tasks from the first worker that it would
// have done sooner. Threads that do not exist yet take long to start.
constexpr std::chrono::microseconds short_run(20), short_run_without_threads(200);
// Between two looks at the workers of a run, at first; and before the first look if all workers begin at once.
constexpr std::chrono::microseconds first_pause(10), first_pause_of_all(5);

// Set in the head of an input term that contains a defined symbol.
constexpr Word pending_mark = Word{1} << (low_bits - 1);
inline bool is_pending(Word const* term) { return !is_immediate(term) && (*term & pending_mark) != 0; }

class Runtime {
public:
    // When threads start. `before_runs`: in the constructor, so that no run does, each on a CPU of its own.
    // `on_demand`: a run begins on one thread, and the others join it if tasks wait after some thousand rewrites and
    // some time, so a short or sequential term never starts them. `waiting`: as on_demand, but the threads exist before
    // runs.
    enum class Threads { before_runs, on_demand, waiting };

    // `defined`: per symbol, true if it is a defined symbol. Has fewer workers if the system refuses some threads.
    // `peak_waiting`: becomes the largest number of tasks of a run so far that no worker had begun.
    Runtime(Program const& program, std::vector<bool> defined, std::size_t workers, std::size_t memory, Threads threads,
            std::atomic<std::size_t>& peak_waiting);
    ~Runtime();

    // Rewrites the input term, whose heads have pending_mark as needed. The input does not change. Ignores the memory
    // limit of `limits`: the constructor sets it.
    Outcome run(Word* input, Limits const& limits) {
        begin(input, limits, false);
        return wait(limits);
    }

    // The same in two steps, for a caller that does something else after begin(). begin() sets all limits but the stop
    // token and the watch. `with_all`: the threads that may join a run do so at once, if they exist.
    void begin(Word* input, Limits const& limits, bool with_all);
    Outcome wait(Limits const& limits);
    // Waits until the run has ended, or until the caller need not wait for that. Returns true if this takes at most
    // `time`.
    bool ends_within(std::chrono::duration<double> time);
    // Asks the workers what they have done. `waits`: until they have said so, so that the answer is about now and not
    // about the last look.
    Progress look(bool waits);
    // The answers to the last look.
    Progress progress() const;
    // Stops the run, if it has not ended. For any thread but those of the workers.
    void stop_all() { stop_all(limits_.stops_in_background); }
    // While this exists, a stop request stops the run.
    class StopOnRequest {
    public:
        StopOnRequest(std::stop_token const& stop, Runtime& runtime)
            : runtime_(runtime), on_stop_(stop, [&runtime] { runtime.stop_all(); }) {}
        // The destructor of the callback would sleep until a call of it has ended, and wake up late.
        ~StopOnRequest() { runtime_.wait_for_stoppers(); }
        StopOnRequest(StopOnRequest const&) = delete;
        StopOnRequest& operator=(StopOnRequest const&) = delete;

    private:
        Runtime& runtime_;
        std::stop_callback<std::function<void()>> on_stop_;
    };
    // The same in the background: nobody needs this run. wait() returns at once, and the memory of old terms goes back
    // to the system.
    void abandon() {
        abandoned_ = true;
        stop_all(true);
    }
    // Called by a worker when a run has its result, or has ended as another program for the same input would: after too
    // many rewrites, or after a rule of Limits::stop_after. Set this before begin().
    std::function<void()> when_decided;

    // Wakes all threads. Those that may join a run are woken last.
    void rouse() {
        rest();
        pool_->rouse();
        if (joining_pool_ != nullptr)
            joining_pool_->rouse();
    }
    // Waits until no thread works for a run that has returned.
    void rest();
    bool is_busy();
    std::size_t memory_limit() const { return limits_.memory; }
    // Workers that had begun the last run or were called to join it.
    std::size_t workers() const { return workers_.size(); }
    Word* result() const { return result_; }
    Program const& program() const { return program_; }
    // Returns the space of old terms, which contains all terms of the result that the run built: its first word and its
    // number of used words.
    std::pair<Word const*, std::size_t> old_terms() const { return {old_.begin(), old_.used_bytes() / sizeof(Word)}; }

    // For generated code and for the evaluation of the input.
    LOCKSTEP_CALLED_BY_GENERATED static Word* attend(Worker* worker, Word* heap, Word* stack, Word words);
    LOCKSTEP_CALLED_BY_GENERATED static Result join(Worker* worker, Word* heap, Word* stack);
    LOCKSTEP_CALLED_BY_GENERATED static bool equal(Worker const* worker, Word const* left, Word const* right);

private:
    static Result evaluate(Worker* worker, Word* heap, Word* stack, Word* term);
    static Result evaluate_captured(Worker* worker, Word* heap, Word* stack, Word* captured);
    static Task const evaluate_argument;

    void run_worker(WorkerState& me) noexcept;
    void work(WorkerState& me);
    void watch(std::function<void()> const& called);
    void ask_workers(bool waits);
    std::unique_ptr<threads::Pool> make_threads(std::size_t count, bool joins);
    void make_joining_threads();
    void begin_on(threads::Pool& pool);
    bool takes_part();
    void wait_for_workers();
    std::chrono::microseconds pause_before_look() const { return begins_with_all_ ? first_pause_of_all : first_pause; }
    bool may_join() const { return workers_.size() < wanted_ && !begins_with_all_; }
    void let_join(Progress const& so_far);
    void poll(WorkerState& me);
    void make_room(WorkerState& me, std::size_t words);
    // Moves the term to the old space and returns its new address.
    Word* made_old(WorkerState& me, Word* term);
    void check_limits(WorkerState& me);
    [[noreturn]] void stop(WorkerState& me, End end);
    void stop_all(bool in_background);
    void stop_workers();
    void wait_for_stoppers() const;
    void answer(WorkerState& me);
    Given* ask_for_task(WorkerState& me);
    void find_and_run(WorkerState& me, Given const* awaited);
    void run_given(WorkerState& me, Given& given);
    // Returns the size in bytes of the old terms up to which a collection is not worthwhile.
    std::size_t small_heap() const { return std::min(std::size_t{512} << 20, limits_.memory / 2); }
    void collect_old(WorkerState& me);
    void copy_from(WorkerState& me);
    void park(WorkerState& me);

    Program const& program_;
    std::vector<bool> defined_;
    Limits limits_;
    OldSpace old_;
    std::size_t wanted_;  // workers, if the system gives that many threads
    Crew workers_;
    Word* input_ = nullptr;
    Word* result_ = nullptr;
    double seconds_ = 0;
    std::chrono::steady_clock::time_point start_;
    bool begins_with_all_ = false;  // the first worker lets the others join
    std::size_t max_memory_ = 0;
    std::atomic<std::size_t> published_memory_{0};  // of all workers and the old terms
    std::atomic<std::size_t>& peak_waiting_;

    std::atomic<bool> stopped_{false};
    std::atomic<unsigned> stoppers_{0};  // threads in stop_all()
    std::atomic<bool> pausing_{false};
    std::atomic<std::size_t> collect_at_{0};  // bytes of old terms
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t running_ = 0;  // the first worker, and others that have begun, until they have finished
    std::size_t parked_ = 0;   // running workers that take part in a collection that another one leads
    std::unique_ptr<Collection> collection_;
    std::uint64_t collections_ = 0;      // of this run
    std::size_t copying_ = 0;            // parked workers that are not done with the collection
    std::atomic<bool> finished_{false};  // written under mutex_
    std::atomic<bool> abandoned_{false};
    std::atomic<bool> left_{false};  // the caller need not wait for the workers of this run
    End end_ = End::finished;

    // Destroyed first: their stacks belong to the workers.
    std::unique_ptr<threads::Pool> pool_;
    std::unique_ptr<threads::Pool> joining_pool_;  // of the workers that join
};

}  // namespace lockstep::term_rewriting::compiled
