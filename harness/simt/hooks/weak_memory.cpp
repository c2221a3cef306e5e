#include "harness/simt/hooks/weak_memory.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::simt::hooks {
namespace {

// Calls visit(address of the word, mask of its bytes) for the words of an access.
template <class Visit>
void for_words(std::uintptr_t at, std::size_t bytes, Visit visit) {
    std::uintptr_t const end = at + bytes;
    for (std::uintptr_t word = at & ~std::uintptr_t{7}; word < end; word += 8) {
        unsigned mask = 0xFFu;
        if (word < at) {
            mask &= 0xFFu << (at - word);
        }
        if (end - word < 8) {
            mask &= 0xFFu >> (8 - (end - word));
        }
        visit(word, static_cast<std::uint8_t>(mask));
    }
}

// The order in which a lane's choices are listed: the latest place first, then those in front of each store that is
// seen by an access with this mask, down to `lowest`.
std::vector<unsigned> places(Word const& word, unsigned lowest, std::uint8_t mask) {
    std::vector<unsigned> found{static_cast<unsigned>(word.stores.size()) - 1};
    for (unsigned i = found[0]; i > lowest; --i) {
        if ((word.stores[i].mask & mask) != 0) {
            found.push_back(i - 1);
        }
    }
    return found;
}

}  // namespace

Word& WeakMemory::word_at(Words& words, std::uintptr_t at) {
    auto const [found, is_new] = words.try_emplace(at);
    if (is_new) {
        Store initial;
        initial.bytes = bytes_at(at);
        initial.mask = 0xFF;
        initial.is_initial = true;
        found->second.stores.reserve(4);
        found->second.stores.push_back(std::move(initial));
        if (&words == &global_) {
            oldest_.push_back(at);
        }
    }
    return found->second;
}

// Every lane sees their stores from then on. What these release stays known.
void WeakMemory::forget_oldest_words() {
    while (oldest_.size() > max_words && pending_.empty()) {
        auto const found = global_.find(oldest_.front());
        oldest_.pop_front();
        forget_before(found->second, static_cast<unsigned>(found->second.stores.size()) - 1);
        if (!found->second.stores[0].tells_something()) {
            global_.erase(found);
        }
    }
}

// The last store that the lane knows of: a read may see it or a later one.
unsigned WeakMemory::first_readable(Word const& word, std::uint8_t mask, WeakBlock const& block, unsigned lane) {
    for (auto i = static_cast<unsigned>(word.stores.size()) - 1; i > 0; --i) {
        Store const& store = word.stores[i];
        auto const is_known = [&](Store::Reader const& reader) {
            return (reader.mask & mask) != 0 && happens_before(reader.by, block, lane);
        };
        if (((store.mask & mask) != 0 && happens_before(store.by, block, lane)) ||
            std::any_of(store.readers.begin(), store.readers.end(), is_known)) {
            return i;
        }
    }
    return 0;
}

// Notes a strong access that follows a strong store of another block if the scope of one of them is a block or a lane.
void WeakMemory::note_conflict(Word const& word, std::uint8_t mask, WeakBlock const& block, unsigned lane,
                               Strength strength) {
    if (!strength.is_strong) {
        return;
    }
    for (Store const& store : word.stores) {
        bool const narrow = strength.scope < Scope::device || store.scope < Scope::device;
        if (narrow && store.is_strong && (store.mask & mask) != 0 && store.by.block != block.clock.rank &&
            !happens_before(store.by, block, lane)) {
            conflict_ = {store.by, store.scope, true};
        }
    }
}

void WeakMemory::read_store(Word& word, unsigned cut, std::uint8_t mask, WeakBlock& block, unsigned lane,
                            Strength strength) {
    StoredBy const reader{block.clock.rank, lane, block.clock.lanes[lane].time};
    if (strength.acquires) {  // PTX: also what the lane's earlier strong reads of the word have read
        for (unsigned i = 0; i < cut; ++i) {
            std::vector<Store::Reader> const& earlier = word.stores[i].readers;
            if (std::any_of(earlier.begin(), earlier.end(), [&](Store::Reader const& one) {
                    return one.by.block == reader.block && one.by.lane == lane && (one.mask & mask) != 0;
                })) {
                acquire(block, lane, word.stores[i], strength);
            }
        }
    }
    unsigned missing = mask;
    for (unsigned i = cut + 1; i-- > 0 && missing != 0;) {
        Store const& store = word.stores[i];
        if ((store.mask & missing) != 0 && strength.is_strong) {
            acquire(block, lane, store, strength);
        }
        missing &= ~unsigned{store.mask};
    }
    if (cut == 0) {
        return;
    }
    std::vector<Store::Reader>& readers = word.stores[cut].readers;
    auto const is_known = [&](Store::Reader const& other) {
        return other.by.block == reader.block && other.by.lane == lane && (mask & ~other.mask) == 0;
    };
    if (std::none_of(readers.begin(), readers.end(), is_known)) {
        readers.push_back({reader, mask});
        if (readers.size() > max_readers) {
            forget_before(word, cut);
        }
    }
}

Store& WeakMemory::add_store(Word& word, unsigned place, std::uint8_t mask, WeakBlock& block, unsigned lane,
                             Strength strength) {
    Store store;
    store.mask = mask;
    store.is_strong = strength.is_strong;
    store.scope = strength.scope;
    store.by = {block.clock.rank, lane, block.clock.lanes[lane].time};
    store.number = ++stores_;
    if (strength.is_strong) {
        release(block, lane, store, strength);
        for (unsigned i = place + 1; i-- > 0;) {  // PTX: a release is also that of the lane's later strong stores
            Store const& before = word.stores[i];
            bool const same_lane = before.by.block == block.clock.rank && before.by.lane == lane;
            if (same_lane && (before.mask & mask) != 0 && !before.is_initial) {
                inherit(store, before);
                break;
            }
        }
    }
    return *word.stores.insert(word.stores.begin() + place + 1, std::move(store));
}

void WeakMemory::read(WeakBlock& block, unsigned lane, Words& words, std::uintptr_t at, std::size_t bytes,
                      Strength strength, bool latest) {
    conflict_ = {};
    settle(true);
    if (strength.is_sequential) {
        fence(block, lane, strength);
    }
    if (words.empty()) {
        return;
    }
    for_words(at, bytes, [&](std::uintptr_t address, std::uint8_t mask) {
        auto const found = words.find(address);
        if (found == words.end()) {
            return;
        }
        Word& word = found->second;
        auto const last = static_cast<unsigned>(word.stores.size()) - 1;
        Bytes const newest = bytes_after(word, last);
        if (!same_bytes(newest, bytes_at(address), mask)) {  // what is not instrumented has written it
            forget_before(word, last);
            put_bytes(reinterpret_cast<std::uintptr_t>(word.stores[0].bytes.data()), mask, bytes_at(address));
            return;
        }
        note_conflict(word, mask, block, lane, strength);
        std::vector<unsigned> const cuts = places(word, first_readable(word, mask, block, lane), mask);
        auto const count = static_cast<unsigned>(cuts.size());
        unsigned const cut = cuts[latest || count == 1 ? 0 : choices_.of_read(count)];
        Bytes const seen = bytes_after(word, cut);
        read_store(word, cut, mask, block, lane, strength);
        if (!same_bytes(seen, newest, mask)) {
            shown_.push_back({address, mask, newest});
            put_bytes(address, mask, seen);
        }
    });
}

void WeakMemory::store(WeakBlock& block, unsigned lane, Words& words, std::uintptr_t at, std::size_t bytes,
                       Strength strength, bool latest) {
    conflict_ = {};
    settle();
    forget_oldest_words();
    if (strength.is_sequential) {
        fence(block, lane, strength);
    }
    for_words(at, bytes, [&](std::uintptr_t address, std::uint8_t mask) {
        Word& word = word_at(words, address);
        note_conflict(word, mask, block, lane, strength);
        unsigned lowest = first_readable(word, mask, block, lane);
        for (auto i = static_cast<unsigned>(word.stores.size()) - 1; i > lowest; --i) {
            if (word.stores[i].is_update && (word.stores[i].mask & mask) != 0) {
                lowest = i;
            }
        }
        std::vector<unsigned> const free = places(word, lowest, mask);
        auto const count = static_cast<unsigned>(free.size());
        unsigned const place = free[latest || count == 1 ? 0 : choices_.of_store(count)];
        Store& added = add_store(word, place, mask, block, lane, strength);
        Bytes const now = bytes_at(address);
        added.bytes = now;  // until settle() finds another value
        pending_.push_back({&word, address, added.number, now});
        if (word.stores.size() > max_stores) {
            forget_before(word, 1);
        }
    });
}

void WeakMemory::begin_update(WeakBlock& block, unsigned lane, Strength strength) {
    conflict_ = {};
    settle();
    if (strength.is_sequential) {
        fence(block, lane, strength);
    }
}

void WeakMemory::end_update(WeakBlock& block, unsigned lane, Words& words, std::uintptr_t at, std::size_t bytes,
                            bool has_written, Strength strength) {
    for_words(at, bytes, [&](std::uintptr_t address, std::uint8_t mask) {
        auto const found = words.find(address);
        if (found == words.end() && !has_written) {
            return;
        }
        Word& word = found == words.end() ? word_at(words, address) : found->second;
        note_conflict(word, mask, block, lane, strength);
        auto last = static_cast<unsigned>(word.stores.size()) - 1;
        read_store(word, last, mask, block, lane, strength);
        last = static_cast<unsigned>(word.stores.size()) - 1;
        if (has_written) {
            Store& added = add_store(word, last, mask, block, lane, strength);
            added.is_update = true;
            added.bytes = bytes_at(address);
            unsigned missing = mask;
            for (unsigned i = last + 1; i-- > 0 && missing != 0;) {
                if ((word.stores[i].mask & missing) != 0) {
                    inherit(added, word.stores[i]);
                }
                missing &= ~unsigned{word.stores[i].mask};
            }
            if (word.stores.size() > max_stores) {
                forget_before(word, 1);
            }
        }
    });
}

// A struct is copied after two calls, one for its target and then one for its source, so a store whose value is not
// there before a read may still come. If it does not, it stores what is there.
void WeakMemory::settle(bool before_read) {
    for (Shown const& shown : shown_) {
        put_bytes(shown.at, shown.mask, shown.latest);
    }
    shown_.clear();
    std::erase_if(pending_, [&](Pending& pending) {
        std::vector<Store>& stores = pending.word->stores;
        auto const found = std::find_if(stores.begin(), stores.end(),
                                        [&](Store const& store) { return store.number == pending.number; });
        if (found == stores.end()) {
            return true;
        }
        Bytes const now = bytes_at(pending.at);
        if (same_bytes(now, pending.before, found->mask)) {
            return !before_read || std::exchange(pending.has_waited, true);
        }
        found->bytes = now;
        put_bytes(pending.at, found->mask, bytes_after(*pending.word, static_cast<unsigned>(stores.size()) - 1));
        return true;
    });
}

}  // namespace lockstep::simt::hooks
