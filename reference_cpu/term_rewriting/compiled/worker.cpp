#include "reference_cpu/term_rewriting/compiled/worker.hpp"

#include <algorithm>
#include <cstring>

namespace lockstep::term_rewriting::compiled {

namespace {

constexpr std::size_t usual_nursery_words = std::size_t{1} << 17;  // 1 MiB: stays in a core's second-level cache
constexpr std::size_t chunk_words = std::size_t{1} << 15;
constexpr std::size_t cache_line_words = 16;
constexpr std::size_t stack_slack = std::size_t{256} << 20;  // what the stacks may grow between two looks at them

}  // namespace

WorkerState::WorkerState(Runtime& owner, std::size_t rules, std::size_t memory)
    : runtime(owner),
      rules_(rules),
      memory_(memory),
      worker_words_(new Word[sizeof(Worker) / sizeof(Word) + rules + 2 * cache_line_words]()),
      nursery_(usual_nursery_words * sizeof(Word), true),
      nursery_words_(usual_nursery_words),
      stack_memory_(memory + stack_slack),
      native_memory_(memory + stack_slack),
      spawned_memory_(memory + stack_slack) {
    Word const address = reinterpret_cast<Word>(worker_words_.get() + cache_line_words);
    worker_ = reinterpret_cast<Worker*>(address / 128 * 128);
    reset();
}

void WorkerState::reset() {
    heap = nursery_.begin();
    nursery_end = nursery_.begin() + nursery_words_;
    stack = stack_base();
    worker_->limit = nursery_end;
    worker_->top = reinterpret_cast<Spawned*>(spawned_memory_.begin());
    worker_->runtime = this;
    std::fill_n(worker_->counts, rules_, Word{0});
    first_kept = worker_->top;
    tick = false;
    request = nullptr;
    answer.kind = Answer::Kind::nothing;
    published_rewrites = 0;
    published_memory = 0;
    forget_chunk();
}

std::uint64_t WorkerState::rewrites() const {
    std::uint64_t sum = 0;
    for (std::size_t rule = 0; rule < rules_; ++rule)
        sum += worker_->counts[rule];
    return sum;
}

// Both stacks and the nursery, as far as they are used.
std::size_t WorkerState::memory_bytes() const {
    char const* const here = static_cast<char const*>(__builtin_frame_address(0));
    std::size_t const native = native_base > here ? static_cast<std::size_t>(native_base - here) : 0;
    return native + static_cast<std::size_t>(stack - stack_base()) * sizeof(Word) + nursery_words_ * sizeof(Word);
}

Word* WorkerState::take_old(OldSpace& old, std::size_t words) {
    if (chunk_ + words > chunk_end_ || chunk_ == nullptr) {
        std::size_t const taken = std::max(words, chunk_words);
        Word* const next = old.take(taken);
        if (next == nullptr) {
            no_memory_ = true;
            return nullptr;
        }
        if (next != chunk_end_ || chunk_ == nullptr) {
            chunk_ = next;
            to_scan_.emplace_back(next, next);
        }
        chunk_end_ = next + taken;
    }
    Word* const taken = chunk_;
    chunk_ += words;
    to_scan_.back().second = chunk_;
    return taken;
}

Word* WorkerState::evacuated(OldSpace& old, Word* term) {
    if (term < nursery_.begin() || term >= nursery_end)
        return term;
    Word const head = *term;
    if (!is_header(head))
        return reinterpret_cast<Word*>(head);
    std::size_t const words = 1 + arguments_of(head);
    Word* const copy = take_old(old, words);
    if (copy == nullptr)
        return term;
    for (std::size_t i = 0; i < words; ++i)
        copy[i] = term[i];
    *term = reinterpret_cast<Word>(copy);
    return copy;
}

bool WorkerState::empty_nursery(OldSpace& old, std::size_t words) {
    no_memory_ = false;
    to_scan_.assign(1, {chunk_, chunk_});
    for (Word* slot = stack_base(); slot < stack; ++slot)
        *slot = reinterpret_cast<Word>(evacuated(old, reinterpret_cast<Word*>(*slot)));
    // Segments are appended, and the last one grows, while they are scanned.
    for (std::size_t i = 0; i < to_scan_.size() && !no_memory_; ++i) {
        for (Word* scan = to_scan_[i].first; scan < to_scan_[i].second;) {
            std::size_t const count = arguments_of(*scan);
            for (std::size_t argument = 1; argument <= count; ++argument)
                scan[argument] = reinterpret_cast<Word>(evacuated(old, reinterpret_cast<Word*>(scan[argument])));
            scan += 1 + count;
        }
    }
    // A stack is scanned whole each time, so a deep one must not be scanned too often.
    std::size_t const wanted =
        std::max({usual_nursery_words, 2 * words, static_cast<std::size_t>(stack - stack_base())});
    if (wanted > nursery_words_) {
        nursery_words_ = std::max(wanted, std::min(2 * nursery_words_, memory_ / 8 / sizeof(Word)));
        nursery_ = Reserved(nursery_words_ * sizeof(Word), true);
        nursery_words_ = nursery_.bytes() / sizeof(Word);
        if (nursery_words_ < words)
            return false;
    }
    heap = nursery_.begin();
    nursery_end = heap + nursery_words_;
    return !no_memory_;
}

}  // namespace lockstep::term_rewriting::compiled
