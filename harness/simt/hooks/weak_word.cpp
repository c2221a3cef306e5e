// The history of one word (weak_memory.hpp).

#include "harness/simt/hooks/weak_word.hpp"

#include <cstring>

namespace lockstep::simt::hooks {
Bytes bytes_at(std::uintptr_t at) {
    Bytes bytes;
    std::memcpy(bytes.data(), reinterpret_cast<void const*>(at), bytes.size());
    return bytes;
}

void put_bytes(std::uintptr_t at, std::uint8_t mask, Bytes const& bytes) {
    auto* const memory = reinterpret_cast<unsigned char*>(at);
    for (unsigned i = 0; i < 8; ++i) {
        if ((mask >> i & 1) != 0) {
            memory[i] = bytes[i];
        }
    }
}

bool same_bytes(Bytes const& a, Bytes const& b, std::uint8_t mask) {
    bool same = true;
    for (unsigned i = 0; i < 8; ++i) {
        same &= (mask >> i & 1) == 0 || a[i] == b[i];
    }
    return same;
}

Bytes bytes_after(Word const& word, unsigned last) {
    Bytes bytes = word.stores[0].bytes;
    for (unsigned i = 1; i <= last; ++i) {
        Store const& store = word.stores[i];
        for (unsigned byte = 0; byte < 8; ++byte) {
            if ((store.mask >> byte & 1) != 0) {
                bytes[byte] = store.bytes[byte];
            }
        }
    }
    return bytes;
}

void forget_before(Word& word, unsigned kept) {
    if (kept == 0) {
        return;
    }
    Store& first = word.stores[0];
    first.bytes = bytes_after(word, kept);
    for (unsigned i = 1; i <= kept; ++i) {
        inherit(first, word.stores[i]);
    }
    first.has_inherited = true;
    first.by = word.stores[kept].by;
    first.readers.clear();
    word.stores.erase(word.stores.begin() + 1, word.stores.begin() + 1 + kept);
}

void add_in_block(Store& store, std::uint32_t block, Known const& known) {
    for (Store::InBlock& one : store.in_blocks) {
        if (one.block == block) {
            one.known = joined(one.known, known);
            return;
        }
    }
    store.in_blocks.push_back({block, known});
}

void inherit(Store& update, Store const& read) {
    if (!read.tells_something()) {
        return;
    }
    update.on_device = joined(update.on_device, read.on_device);
    for (Store::InBlock const& one : read.in_blocks) {
        add_in_block(update, one.block, one.known);
    }
    update.has_inherited = true;
}

}  // namespace lockstep::simt::hooks
