#include "baselines/term_rewriting/compiled/worker.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/threads/spin.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

constexpr std::size_t usual_nursery_words = std::size_t{1} << 17;  // 1 MiB: stays in a core's second-level cache
constexpr std::size_t chunk_words = std::size_t{1} << 15;
constexpr std::size_t cache_line_words = 16;
constexpr std::size_t stack_slack = std::size_t{256} << 20;  // maximum growth of the stacks between two checks

}  // namespace

WorkerState::WorkerState(Runtime& owner, std::size_t number, Program const& program, std::size_t memory)
    : runtime(owner),
      index(number),
      program_(program),
      layout_(program),
      rules_(program.rules),
      memory_(memory),
      worker_words_(new Word[sizeof(Worker) / sizeof(Word) + rules_ + 2 * cache_line_words]()),
      nursery_(usual_nursery_words * sizeof(Word), true),
      nursery_words_(usual_nursery_words),
      stack_memory_(memory + stack_slack),
      native_memory_(memory + stack_slack),
      spawned_memory_(memory + stack_slack) {
    Word const address = reinterpret_cast<Word>(worker_words_.get() + cache_line_words);
    worker_ = reinterpret_cast<Worker*>(address / 128 * 128);
    find_weights();
    reset();
}

void WorkerState::reset() {
    heap = nursery_.begin();
    nursery_end = nursery_.begin() + nursery_words_;
    stack = stack_base();
    worker_->limit = nursery_end - limit_slack;
    worker_->top = reinterpret_cast<Spawned*>(spawned_memory_.begin());
    worker_->runtime = this;
    std::fill_n(worker_->counts, rules_, Word{0});
    worker_->first_kept = worker_->top;
    tick = false;
    request = nullptr;
    offers.reset(index == 0);  // the others have no task, and may not even be awake
    next_asked = index + 1;
    patience = std::chrono::microseconds(0);
    given.clear();
    answer.kind = Answer::Kind::nothing;
    active_ = false;
    published_rewrites = 0;
    published_memory = 0;
    published_waiting = 0;
    forget_chunk();
}

void WorkerState::call() {
    call_later();
    // Either this thread sees resting_, or the worker sees the null limit before it rests.
    if (resting_.load()) {
        std::unique_lock const lock(rest_mutex_);
        called_.notify_one();
    }
}

// The gain is the time in which both workers have work. Example without gain: a rule that walks along a list has one
// task, the rest of the list. Who gives it away has almost nothing left to do, and who takes it is asked for it next.
void WorkerState::learn_from(Given& task) {
    if (std::exchange(task.judged, true))
        return;
    auto const now = std::chrono::steady_clock::now();
    bool const done = task.done.load();
    std::chrono::nanoseconds const own = now - task.given_at;
    Offers& next = done ? offers : task.runner->offers;
    Offers::learn(offers, next, task.cost, done ? std::min(own, task.taken) : own, now);
}

void WorkerState::publish() {
    published_rewrites.store(rewrites(), std::memory_order_relaxed);
    published_waiting.store(waiting(), std::memory_order_relaxed);
}

// Spins first: a thread that sleeps wakes up some 60 us late, and waking it takes the other thread microseconds.
void WorkerState::rest(std::chrono::microseconds time) {
    constexpr std::chrono::microseconds longest_spin(50);
    auto const is_called = [this] { return __atomic_load_n(&worker_->limit, __ATOMIC_SEQ_CST) == nullptr; };
    std::chrono::microseconds const spins =
        threads::is_on_one_cpu() ? std::chrono::microseconds(0) : std::min(time, longest_spin);
    publish();
    active_ = false;
    if (!threads::spin(spins, is_called) && time != spins) {
        std::unique_lock lock(rest_mutex_);
        resting_.store(true);
        called_.wait_for(lock, time - spins, is_called);
        resting_.store(false);
    }
    active_ = true;
}

// A sum over all rules, in which each rule that is not counted is replaced by its terms.
void WorkerState::find_weights() {
    std::vector<Word const*> entries;
    Word const* entry = program_.implied_table;
    for (Word i = 0; i < program_.implied_count; ++i) {
        entries.push_back(entry);
        entry += 2 + 2 * entry[1];
    }
    weights_.assign(rules_, 1);
    for (; !entries.empty(); entries.pop_back()) {
        entry = entries.back();
        for (Word term = 0; term < entry[1]; ++term)
            weights_[entry[2 + 2 * term]] += weights_[entry[0]] * entry[3 + 2 * term];
    }
}

std::uint64_t WorkerState::rewrites() const {
    std::uint64_t sum = 0;
    for (std::size_t rule = 0; rule < rules_; ++rule)
        sum += weights_[rule] * worker_->counts[rule];
    return sum;
}

// Returns the used bytes of both stacks and the nursery.
std::size_t WorkerState::memory_bytes() const {
    char const* const here = static_cast<char const*>(__builtin_frame_address(0));
    std::size_t const native = native_base > here ? static_cast<std::size_t>(native_base - here) : 0;
    return native + static_cast<std::size_t>(stack - stack_base()) * sizeof(Word) + nursery_words_ * sizeof(Word);
}

// Moves the terms that are reachable from the stack of terms from the nursery into this worker's chunks of the old
// space, breadth first (Cheney 1970).
template <class Terms>
class WorkerState::Evacuation {
public:
    Evacuation(WorkerState& worker, OldSpace& old, std::atomic<bool> const& stopped)
        : worker_(worker),
          old_(old),
          stopped_(stopped),
          arities_(worker.program_.arities),
          nursery_(worker.nursery_.begin()),
          nursery_words_(static_cast<std::size_t>(worker.nursery_end - worker.nursery_.begin())),
          free_(worker.chunk_),
          end_(worker.chunk_end_) {}

    bool run() {
        worker_.scanned_.assign(1, {free_, free_});
        for (Word* slot = worker_.stack_base(); slot < worker_.stack; ++slot)
            *slot = reinterpret_cast<Word>(moved(reinterpret_cast<Word*>(*slot)));
        // During the scan, segments are appended and the last one grows.
        for (std::size_t i = 0; i < worker_.scanned_.size() && !full_; ++i) {
            Word* scan = worker_.scanned_[i].first;
            while (scan < (i + 1 == worker_.scanned_.size() ? free_ : worker_.scanned_[i].second))
                scan = scan_term(scan);
        }
        worker_.chunk_ = free_;
        worker_.chunk_end_ = end_;
        return !full_;
    }

private:
    static std::size_t words(std::size_t arguments) { return term_words(Terms::head_words, arguments); }

    Word* scan_term(Word* term) {
        std::size_t const count = arities_[Terms::pointed_symbol(term)];
        for (std::size_t i = 0; i < count; ++i) {
            Word& word = term[Terms::head_words + i];
            Word* const argument = moved(Terms::argument(term, i));
            bool const shared = Terms::head_words + i == 0;  // with the head
            word = shared ? (word & low_mask) | above(argument) : reinterpret_cast<Word>(argument);
        }
        return term + words(count);
    }

    Word* moved(Word* term) {
        // One unsigned comparison covers both ends: the difference wraps around below the nursery.
        if (reinterpret_cast<Word>(term) - reinterpret_cast<Word>(nursery_) >= nursery_words_ * sizeof(Word))
            return term;
        Word const head = *term;
        if (TermLayout::is_moved(head))
            return above_low_bits(head);
        std::size_t const size = words(arities_[Terms::pointed_symbol(term)]);
        if (static_cast<std::size_t>(end_ - free_) < size && !take_chunk(size))
            return term;
        Word* const copy = free_;
        free_ += size;
        copy_words(copy, term, size);
        *term = moved_mark | above(copy);
        return copy;
    }

    bool take_chunk(std::size_t size) {
        std::size_t const taken = std::max(size, chunk_words);
        Word* const next = old_.take(taken);
        full_ = full_ || next == nullptr || stopped_.load(std::memory_order_relaxed);
        if (full_)
            return false;
        if (next != end_) {
            worker_.scanned_.back().second = free_;
            worker_.scanned_.emplace_back(next, next);
            free_ = next;
        }
        end_ = next + taken;
        return true;
    }

    WorkerState& worker_;
    OldSpace& old_;
    std::atomic<bool> const& stopped_;
    unsigned short const* arities_;
    Word* nursery_;
    std::size_t nursery_words_;
    Word* free_;  // of the current chunk
    Word* end_;
    bool full_ = false;  // or stopped
};

bool WorkerState::empty_nursery(OldSpace& old, std::size_t words, std::atomic<bool> const& stopped) {
    bool const moved = program_.head_words == 0 ? Evacuation<PackedTerms>(*this, old, stopped).run()
                                                : Evacuation<WideTerms>(*this, old, stopped).run();
    // Each collection scans the entire stack, so a deep stack needs a larger nursery.
    std::size_t const wanted =
        std::max({usual_nursery_words, 2 * words, static_cast<std::size_t>(stack - stack_base())});
    if (wanted > nursery_words_) {
        nursery_words_ = std::max(wanted, std::min(2 * nursery_words_, memory_ / 8 / sizeof(Word)));
        nursery_ = ReservedMemory(nursery_words_ * sizeof(Word), true);
        nursery_words_ = nursery_.bytes() / sizeof(Word);
        if (nursery_words_ < words)
            return false;
    }
    heap = nursery_.begin();
    nursery_end = heap + nursery_words_;
    return moved;
}

}  // namespace lockstep::term_rewriting::compiled
