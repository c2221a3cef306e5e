#pragma once
// The history of one word of a weak memory (weak_memory.hpp): its latest stores in coherence order.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/hooks/clocks.hpp"

namespace lockstep::simt::hooks {

using emulator::Scope;
using Bytes = std::array<unsigned char, 8>;

struct StoredBy {
    std::uint32_t block = 0;
    unsigned lane = 0;
    Time time = 0;
};

// One store to a word, or what was there before the first one.
struct Store {
    Bytes bytes{};
    std::uint8_t mask = 0;    // of the bytes that it writes
    bool is_initial = false;  // happens before everything
    bool is_update = false;   // no store may come between it and what it has read
    bool is_strong = false;
    bool has_inherited = false;  // what it releases is also that of other stores
    Scope scope = Scope::system;
    StoredBy by;
    std::uint64_t number = 0;
    // What the reader of this store knows after an acquire: in any block, and in single blocks.
    Known on_device;
    struct InBlock {
        std::uint32_t block;
        Known known;
    };
    std::vector<InBlock> in_blocks;
    struct Reader {
        StoredBy by;
        std::uint8_t mask;
    };
    std::vector<Reader> readers;

    bool tells_something() const { return on_device != nullptr || !in_blocks.empty(); }
};

struct Word {
    std::vector<Store> stores;  // in coherence order
};
using Words = std::unordered_map<std::uintptr_t, Word>;  // by address

// The word in memory.
Bytes bytes_at(std::uintptr_t at);
void put_bytes(std::uintptr_t at, std::uint8_t mask, Bytes const& bytes);
bool same_bytes(Bytes const& a, Bytes const& b, std::uint8_t mask);

// The word's value after stores[last].
Bytes bytes_after(Word const& word, unsigned last);

// Makes the stores up to stores[kept] the word's initial value: every lane sees them from now on.
void forget_before(Word& word, unsigned kept);

// Adds to what a reader in this block learns.
void add_in_block(Store& store, std::uint32_t block, Known const& known);

// The reader of an update learns what the update has read, too (PTX: observation order).
void inherit(Store& update, Store const& read);

}  // namespace lockstep::simt::hooks
