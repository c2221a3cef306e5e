#pragma once
// One collection of the old space by all workers at the same time (after R. Halstead, "Implementation of Multilisp:
// Lisp on a multiprocessor", 1984, and C. Cheney 1970). Each worker copies what its own roots refer to into chunks of
// the other half, breadth first, and shares the parts of full chunks that it has not scanned yet.
//
// Two workers may find the same term. Both copy it, and the one that first replaces the head by its copy's address
// wins; the other takes its copy back. Only the first word of a term in the old half changes, and only by atomic
// operations. A copy belongs to the worker that made it until it is shared under the mutex.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "baselines/term_rewriting/compiled/memory.hpp"

namespace lockstep::term_rewriting::compiled {

class Collection {
public:
    static constexpr std::size_t chunk_words = std::size_t{1} << 13;

    // `workers`: the number of Copiers, each in a thread of its own.
    Collection(OldSpace const& old, std::size_t workers);

    // After the end of all copiers: the end of the used part of the other half, and true if it was too small.
    Word* end() const { return end_.load(std::memory_order_relaxed); }
    bool is_full() const { return full_.load(std::memory_order_relaxed); }

private:
    friend class Copier;
    using Segment = std::pair<Word*, Word*>;  // of copies whose arguments have not been moved

    Word* take_chunk(std::size_t words);
    void share(Segment segment);
    // Waits for a segment. Returns false if there will be none, because all workers wait.
    bool take(Segment& segment);

    TermLayout layout_;
    ReservedMemory const& from_;
    ReservedMemory const& to_;
    std::size_t const workers_;
    std::atomic<Word*> end_;
    std::atomic<bool> full_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Segment> shared_;
    std::size_t waiting_ = 0;
};

// One worker's part: moved() for each of its roots, then finish().
class Copier {
public:
    explicit Copier(Collection& collection);

    // Returns the new address of a term.
    Word* moved(Word* term);
    // Moves what the copies of all workers refer to. Returns when all workers are done.
    void finish();

private:
    bool make_room(std::size_t words);
    Word* scan(Word* copy);

    Collection& of_;
    TermLayout const layout_;
    Word const first_;  // of the old half
    Word const bytes_;
    bool const alone_;
    Word* scanned_ = nullptr;  // of the current chunk
    Word* free_ = nullptr;
    Word* chunk_end_ = nullptr;
};

}  // namespace lockstep::term_rewriting::compiled
