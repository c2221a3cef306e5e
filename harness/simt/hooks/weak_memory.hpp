#pragma once
// A weak memory: what a lane reads need not be the latest value. It is one that PTX's memory consistency model allows
// (PTX ISA, "Memory Consistency Model"; Lustig and others, A formal analysis of the NVIDIA PTX memory consistency
// model, ASPLOS 2019), chosen at random, so that a missing fence gives a wrong result.
//
// Each word of 8 bytes that lanes have written keeps its latest stores in coherence order (a history). A read may take
// any of them, except those before a store that the lane knows of: one that happens before the read, one that the lane
// has read already, or one whose read by another lane happens before this read. A store goes to any place behind
// those. So stores become visible late and in any order, and a read may see an older value than another lane's earlier
// read. Reads are not delayed beyond later stores: load buffering is not produced, and no value comes out of thin air.
//
// "Happens before" is kept by the clocks of clocks.hpp: program order, barriers, __syncwarp, releases that are read by
// acquires within their scopes, and the order of sequentially consistent fences, __threadfence among them.
//
// The memory itself holds the latest values. The compiler's call comes before an access, so a read finds its value in
// memory, where it stays until the next call; a store's value is found there at the next call.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "harness/simt/hooks/clocks.hpp"
#include "harness/simt/hooks/weak_word.hpp"

namespace lockstep::simt::hooks {

// Picks one of `count` outcomes, of which 0 is the one of a strong memory.
class Choices {
public:
    virtual ~Choices() = default;
    virtual unsigned of_read(unsigned count) = 0;
    virtual unsigned of_store(unsigned count) = 0;
};

// The order of an access. A plain one orders nothing, and is not seen as part of an order.
struct Strength {
    bool is_strong = false;
    bool acquires = false;
    bool releases = false;
    bool is_sequential = false;  // has a fence.sc before it
    Scope scope = Scope::system;

    static Strength plain() { return {}; }
    static Strength relaxed(Scope scope = Scope::system) { return {true, false, false, false, scope}; }
    static Strength of(int order, Scope scope);  // order: __ATOMIC_...
};

struct WeakBlock {
    WeakBlock(std::uint32_t rank, unsigned lanes) : clock(rank, lanes, 1), pending_in_block(lanes) {}

    BlockClock clock;                     // its `pending` waits for a fence of device scope
    std::vector<Known> pending_in_block;  // waits for any fence
    Known fences;                         // what all sequentially consistent fences of the block have known
    Words shared;
};

class WeakMemory {
public:
    static constexpr unsigned max_stores = 8;        // of a word's history
    static constexpr unsigned max_words = 1u << 16;  // of global memory; the oldest histories are forgotten
    static constexpr unsigned max_readers = 64;      // of a store: then older stores are forgotten

    explicit WeakMemory(Choices& choices) : choices_(choices) {}
    WeakMemory(WeakMemory const&) = delete;
    WeakMemory& operator=(WeakMemory const&) = delete;
    ~WeakMemory() { settle(); }

    // The earlier one of two strong accesses whose scopes do not both include the other's block (PTX: not morally
    // strong).
    struct Conflict {
        StoredBy by;
        Scope scope = Scope::system;
        bool exists = false;
    };

    // `words` is shared of the block, or global(). Called before the access.
    void read(WeakBlock& block, unsigned lane, Words& words, std::uintptr_t at, std::size_t bytes, Strength strength,
              bool latest = false);
    void store(WeakBlock& block, unsigned lane, Words& words, std::uintptr_t at, std::size_t bytes, Strength strength,
               bool latest = false);
    // An atomic read and write: called before the access, which then sees the latest value, and after it.
    void begin_update(WeakBlock& block, unsigned lane, Strength strength);
    void end_update(WeakBlock& block, unsigned lane, Words& words, std::uintptr_t at, std::size_t bytes,
                    bool has_written, Strength strength);
    void fence(WeakBlock& block, unsigned lane, Strength strength);
    void barrier(WeakBlock& block);
    void sync_warp(WeakBlock& block, unsigned warp, unsigned mask);

    // Gives the memory its latest values. Before anyone but the lane that made the last access looks at it.
    // `before_read`: stores whose value is not there yet may still come.
    void settle(bool before_read = false);
    Words& global() { return global_; }
    // Of the last access to memory.
    Conflict const& conflict() const { return conflict_; }

private:
    struct Shown {  // a read's value, in place of the latest one
        std::uintptr_t at;
        std::uint8_t mask;
        Bytes latest;
    };
    struct Pending {  // a store whose value is not known yet
        Word* word;
        std::uintptr_t at;
        std::uint64_t number;
        Bytes before;
        bool has_waited = false;
    };

    Word& word_at(Words& words, std::uintptr_t at);
    void forget_oldest_words();
    static bool happens_before(StoredBy const& earlier, WeakBlock const& block, unsigned lane);
    static unsigned first_readable(Word const& word, std::uint8_t mask, WeakBlock const& block, unsigned lane);
    void read_store(Word& word, unsigned cut, std::uint8_t mask, WeakBlock& block, unsigned lane, Strength strength);
    Store& add_store(Word& word, unsigned place, std::uint8_t mask, WeakBlock& block, unsigned lane, Strength strength);
    void acquire(WeakBlock& block, unsigned lane, Store const& from, Strength strength);
    void release(WeakBlock& block, unsigned lane, Store& into, Strength strength);
    void note_conflict(Word const& word, std::uint8_t mask, WeakBlock const& block, unsigned lane, Strength strength);

    Choices& choices_;
    Words global_;
    std::deque<std::uintptr_t> oldest_;  // words of global_, by age
    Known fences_;                       // what all sequentially consistent fences of device scope have known
    std::vector<Shown> shown_;
    std::vector<Pending> pending_;
    std::uint64_t stores_ = 0;
    Conflict conflict_;
};

}  // namespace lockstep::simt::hooks
