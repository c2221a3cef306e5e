// Runtime: start and end of a run, and limits.

#include "baselines/term_rewriting/compiled/runtime.hpp"

#include <chrono>
#include <exception>
#include <numeric>
#include <thread>

#include "baselines/term_rewriting/compiled/equal.hpp"
#include "harness/bench/error.hpp"
#include "harness/threads/spin.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Workers do not join a term of fewer rewrites.
constexpr std::uint64_t short_term = 5000;

// Between two looks at the workers of a long run.
constexpr Seconds usual_pause(5e-3);

// The workers publish their parts of a sum at different times, so it may be below zero for a moment.
std::uint64_t at_least_zero(std::uint64_t sum) { return static_cast<std::int64_t>(sum) < 0 ? 0 : sum; }

// Adds the applications of the rules that are not counted. In a run that did not finish, they include calls that were
// still to be made.
void add_implied(Program const& program, std::vector<std::uint64_t>& applications) {
    Word const* entry = program.implied_table;
    for (Word i = 0; i < program.implied_count; ++i) {
        std::uint64_t sum = applications[entry[0]];
        for (Word term = 0; term < entry[1]; ++term)
            sum += entry[3 + 2 * term] * applications[entry[2 + 2 * term]];
        applications[entry[0]] = at_least_zero(sum);
        entry += 2 + 2 * entry[1];
    }
}

double since(Clock::time_point start) { return Seconds(Clock::now() - start).count(); }

}  // namespace

Runtime::Runtime(Program const& program, std::vector<bool> defined, std::size_t workers, std::size_t memory,
                 Threads threads, std::atomic<std::size_t>& peak_waiting)
    : program_(program),
      defined_(std::move(defined)),
      old_(TermLayout(program), memory),
      wanted_(workers),
      workers_(workers),
      peak_waiting_(peak_waiting) {
    limits_.memory = memory;
    bool const joins = threads != Threads::before_runs;
    pool_ = make_threads(joins ? 1 : workers, joins);
    if (pool_->threads() == 0)
        throw bench::Error("cannot start a thread", "the operating system rejects it", "Try --engine oracle.");
    if (!joins)
        wanted_ = pool_->threads();
    if (threads == Threads::waiting && workers > 1)
        make_joining_threads();
}

Runtime::~Runtime() = default;

void Runtime::rest() {
    pool_->wait();
    if (joining_pool_ != nullptr)
        joining_pool_->wait();
}

bool Runtime::is_busy() {
    std::unique_lock const lock(mutex_);
    return running_ != 0;
}

// Makes the next `count` workers, and threads on their stacks. Threads of a run that goes on are not pinned, because
// the first worker is on a CPU that nobody chose.
std::unique_ptr<threads::Pool> Runtime::make_threads(std::size_t count, bool joins) {
    std::vector<threads::Stack> stacks;
    for (std::size_t i = 0; i < count; ++i) {
        auto state = std::make_unique<WorkerState>(*this, workers_.made(), program_, limits_.memory);
        state->worker()->attend = attend;
        state->worker()->join = join;
        state->worker()->equal = equal;
        stacks.push_back({state->native_memory().begin(), state->native_memory().bytes()});
        workers_.make(std::move(state));
    }
    using Placement = threads::Pool::Placement;
    return std::make_unique<threads::Pool>(count, joins ? Placement::free : Placement::pinned, stacks);
}

void Runtime::begin(Word* input, Limits const& limits, bool with_all) {
    rest();
    limits_.rewrites = limits.rewrites;
    limits_.seconds = limits.seconds;
    limits_.stop_after = limits.stop_after;
    limits_.stops_in_background = limits.stops_in_background;
    input_ = input;
    result_ = nullptr;
    stopped_ = pausing_ = finished_ = left_ = abandoned_ = false;
    end_ = End::finished;
    parked_ = 0;
    collections_ = 0;
    copying_ = 0;
    max_memory_ = 0;
    published_memory_ = 0;
    running_ = 1;
    peak_waiting_ = 0;
    old_.clear();
    collect_at_ = small_heap();
    start_ = Clock::now();
    workers_.take_part(0);
    begins_with_all_ = with_all && joining_pool_ != nullptr && joining_pool_->threads() != 0;
    begin_on(*pool_);
}

Outcome Runtime::wait(Limits const& limits) {
    StopOnRequest const on_request(limits.stop, *this);
    if (!pool_->ends_soon(pause_before_look(), &left_))
        watch(limits.watch);
    Outcome outcome;
    if (!finished_.load()) {
        if (left_.load()) {
            outcome.end = End::stopped;
            outcome.applications.assign(program_.rules, 0);
            return outcome;
        }
        wait_for_workers();
    }
    outcome.end = end_;
    outcome.seconds = end_ == End::finished ? seconds_ : since(start_);
    outcome.applications.assign(program_.rules, 0);
    for (auto const& state : workers_) {
        for (std::size_t rule = 0; rule < program_.rules; ++rule)
            outcome.applications[rule] += state->worker()->counts[rule];
    }
    add_implied(program_, outcome.applications);
    outcome.memory = max_memory_;
    outcome.collections = collections_;
    if (outcome.end == End::finished && outcome.rewrites() > limits_.rewrites)
        outcome.end = End::too_many_rewrites;
    return outcome;
}

// The next workers take part: one per thread of the pool, because a collection waits for the workers that have begun.
void Runtime::begin_on(threads::Pool& pool) {
    std::size_t const first = workers_.size();
    std::size_t const count = pool.threads();
    {
        std::unique_lock const lock(mutex_);
        // During a collection they would only wait. The next call tries again.
        if (finished_ || stopped_.load() || pausing_.load())
            return;
        for (std::size_t i = first; i < first + count; ++i)
            workers_[i].reset();  // all of them, before the first one runs and asks others for tasks
        workers_.take_part(first + count);
    }
    pool.start(count, [this, first](std::size_t index) { run_worker(workers_[first + index]); });
}

// Not for threads that wake up too late to take part.
void Runtime::wait_for_workers() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return running_ == 0; });
}

// Looks at the workers periodically: asks what they have done, which also makes them check the limits even if they do
// not allocate. At first more often, because that decides who joins.
void Runtime::watch(std::function<void()> const& called) {
    bool decides = called || may_join();
    Seconds pause = decides ? Seconds(pause_before_look()) - Seconds(since(start_)) : usual_pause;
    while (!ends_within(pause)) {
        Progress const so_far = look(decides);
        if (called)
            called();  // before the workers join: there may be many to wake
        let_join(so_far);
        decides = called || may_join();
        pause = decides ? std::clamp(Seconds(so_far.seconds), Seconds(first_pause), usual_pause) : usual_pause;
    }
}

// Spins for a short time, because a thread that sleeps wakes up much later. Workers join later, so the caller takes no
// CPU from those that do.
bool Runtime::ends_within(Seconds time) {
    using std::chrono::microseconds;
    constexpr Seconds longest_spin(1e-3);
    constexpr Seconds shortest_sleep(20e-6);
    Seconds const end = Seconds(since(start_)) + time;
    if (time > Seconds(0) && time < longest_spin &&
        pool_->ends_soon(std::chrono::duration_cast<microseconds>(time), &left_))
        return true;
    Seconds const left = end - Seconds(since(start_));
    std::unique_lock lock(mutex_);
    auto const over = [this] { return running_ == 0 || left_.load(); };
    return left < shortest_sleep ? over() : changed_.wait_for(lock, left, over);
}

Progress Runtime::look(bool waits) {
    ask_workers(waits);
    Progress const so_far = progress();
    peak_waiting_ = std::max(peak_waiting_.load(), so_far.waiting);
    return so_far;
}

// Asks each worker that works to publish its progress at its next check. The others have published all there is. Does
// not wait for long, because a worker may have no core, or have ended. If all have begun at once, the first look only
// finds out whether a task waits.
void Runtime::ask_workers(bool waits) {
    constexpr double patience = 20e-6;
    for (auto const& state : workers_) {
        if (!state->is_active())
            continue;
        state->tick.store(true);
        state->call_later();
    }
    auto const asked = [](std::unique_ptr<WorkerState> const& state) { return state->tick.load(); };
    auto const has_waiting = [](std::unique_ptr<WorkerState> const& state) {
        return state->published_waiting.load() != 0;
    };
    bool const one_suffices = begins_with_all_ && peak_waiting_.load() == 0;
    auto const over = [&] {
        return stopped_.load() || left_.load() || std::none_of(workers_.begin(), workers_.end(), asked) ||
               (one_suffices && std::any_of(workers_.begin(), workers_.end(), has_waiting));
    };
    double const start = since(start_);
    while (waits && since(start_) - start < patience && !over())
        std::this_thread::yield();
}

Progress Runtime::progress() const {
    Progress so_far;
    so_far.seconds = since(start_);
    so_far.workers = workers_.size();
    std::size_t asked = 0, answers = 0;
    so_far.memory = published_memory_.load(std::memory_order_relaxed);
    for (auto const& state : workers_) {
        asked += state->is_active() ? 1 : 0;
        answers += state->is_active() && !state->tick.load() ? 1 : 0;
        so_far.rewrites += state->published_rewrites.load(std::memory_order_relaxed);
        so_far.waiting += state->published_waiting.load(std::memory_order_relaxed);
    }
    so_far.rewrites = at_least_zero(so_far.rewrites);
    so_far.answered = asked > 0 && answers == asked;
    return so_far;
}

// Called by the thread that waits for the end of the run.
void Runtime::let_join(Progress const& so_far) {
    Seconds const shortest(joining_pool_ == nullptr ? short_run_without_threads : short_run);
    if (!may_join() || so_far.waiting == 0 || so_far.rewrites < short_term || so_far.seconds < shortest.count())
        return;
    if (joining_pool_ == nullptr)
        make_joining_threads();
    if (joining_pool_ != nullptr && joining_pool_->threads() != 0)
        begin_on(*joining_pool_);
}

void Runtime::make_joining_threads() {
    try {
        joining_pool_ = make_threads(wanted_ - 1, true);
        wanted_ = 1 + joining_pool_->threads();
    } catch (std::exception const&) {  // no memory for their stacks: runs do without them
        wanted_ = 1;
    }
}

// A collection waits for the workers that run, so one that begins waits for the collection. Returns false if the run
// has ended.
bool Runtime::takes_part() {
    auto const over = [this] { return finished_.load() || stopped_.load(); };
    std::unique_lock lock(mutex_, std::defer_lock);
    // All begin at once, and a thread that sleeps here wakes up much later.
    for (unsigned tries = 1; !lock.try_lock(); ++tries) {
        if (over())
            return false;
        threads::pause();
        if (tries % 64 == 0)
            std::this_thread::yield();
    }
    changed_.wait(lock, [&] { return over() || !pausing_.load(); });
    if (over())
        return false;
    ++running_;
    return true;
}

// Worker i may run on the stack of another worker's thread: the first thread that is awake takes the first worker. An
// exception ends the program, because the other workers would wait for this one forever.
void Runtime::run_worker(WorkerState& me) noexcept {
    if (!workers_.is_first(me) && !takes_part())
        return;
    me.native_base = static_cast<char const*>(__builtin_frame_address(0));
    me.set_active(true);
    if (setjmp(me.exit) == 0)
        work(me);
    std::unique_lock const lock(mutex_);
    if (--running_ == 0 && abandoned_.load() && !finished_.load())
        old_.release();
    changed_.notify_all();
}

void Runtime::work(WorkerState& me) {
    if (!workers_.is_first(me)) {
        for (;;)
            find_and_run(me, nullptr);  // stop() ends the loop
    }
    if (begins_with_all_)
        begin_on(*joining_pool_);
    Clock::time_point const start = Clock::now();
    Result const result = evaluate(me.worker(), me.heap, me.stack_base(), input_);
    me.heap = result.heap;
    me.stack = me.stack_base();
    seconds_ = since(start);
    result_ = made_old(me, result.value);
    {
        // All tasks are done and counted, so the caller need not wait until the other workers have seen that.
        std::unique_lock const lock(mutex_);
        end_ = End::finished;  // also if somebody has stopped the run meanwhile
        finished_ = true;
        left_ = true;
        changed_.notify_all();
    }
    if (when_decided)
        when_decided();
    stopped_ = true;
    for (auto const& state : workers_)
        state->call();
}

void Runtime::stop(WorkerState& me, End end) {
    if (end != End::finished) {
        bool decides = false;
        {
            std::unique_lock const lock(mutex_);
            if (end_ == End::finished && !finished_) {
                end_ = end;
                decides = end == End::too_many_rewrites || end == End::stopped;
            }
            stopped_ = true;
            for (auto const& state : workers_)
                state->call();
        }
        if (decides && when_decided)
            when_decided();
    }
    std::longjmp(me.exit, 1);
}

void Runtime::stop_all(bool in_background) {
    ++stoppers_;
    if (in_background)
        left_ = true;  // before others give the lock back
    stop_workers();
    --stoppers_;
}

void Runtime::stop_workers() {
    std::unique_lock const lock(mutex_);
    if (finished_.load())
        return;
    if (end_ == End::finished)
        end_ = End::stopped;
    stopped_ = true;
    changed_.notify_all();
    for (auto const& state : workers_) {
        // Waking resting workers would delay the caller, which waits for nobody. They look again within 1 ms.
        if (left_.load())
            state->call_later();
        else
            state->call();
    }
}

void Runtime::wait_for_stoppers() const {
    constexpr std::chrono::microseconds longest(50);
    threads::spin(longest, [this] { return stoppers_.load() == 0; });
}

void Runtime::check_limits(WorkerState& me) {
    me.publish();
    me.published_memory.store(me.memory_bytes(), std::memory_order_relaxed);
    std::uint64_t rewrites = 0;
    std::size_t memory = old_.used_bytes();
    for (auto const& state : workers_) {
        rewrites += state->published_rewrites.load(std::memory_order_relaxed);
        memory += state->published_memory.load(std::memory_order_relaxed);
    }
    published_memory_.store(memory, std::memory_order_relaxed);
    if (workers_.is_first(me))
        max_memory_ = std::max(max_memory_, memory);
    if (at_least_zero(rewrites) > limits_.rewrites)
        stop(me, End::too_many_rewrites);
    if (memory > limits_.memory)
        stop(me, End::out_of_memory);
    if (since(start_) > limits_.seconds)
        stop(me, End::out_of_time);
    for (RuleId const rule : limits_.stop_after) {
        if (me.worker()->counts[rule] != 0)
            stop(me, End::stopped);
    }
}

Word* Runtime::attend(Worker* worker, Word* heap, Word* stack, Word words) {
    WorkerState& me = *static_cast<WorkerState*>(worker->runtime);
    me.heap = heap;
    me.stack = stack;
    me.runtime.poll(me);
    if (me.heap + std::max(words, limit_slack) > me.nursery_end)
        me.runtime.make_room(me, std::max(words, limit_slack));
    return me.heap;
}

void Runtime::make_room(WorkerState& me, std::size_t words) {
    if (!me.empty_nursery(old_, words, stopped_))
        stop(me, End::out_of_memory);
    me.uncall();
    if (old_.used_bytes() > collect_at_)
        collect_old(me);
    check_limits(me);
    poll(me);
}

Word* Runtime::made_old(WorkerState& me, Word* term) {
    *me.stack++ = reinterpret_cast<Word>(term);  // a root for collections
    make_room(me, 1);
    return reinterpret_cast<Word*>(*--me.stack);
}

bool Runtime::equal(Worker const* worker, Word const* left, Word const* right) {
    return equal_normal_forms(static_cast<WorkerState const*>(worker->runtime)->layout(), left, right);
}

}  // namespace lockstep::term_rewriting::compiled
