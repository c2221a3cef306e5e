// Races: two accesses to a word, at least one a write and not both atomic, that nothing orders (clocks.hpp).

#include "harness/simt/hooks/checker.hpp"

namespace lockstep::simt::hooks {
namespace {

bool is_strong(Kind kind) { return kind != Kind::plain; }

std::string access_of(bool writes, Kind kind) {
    std::string const kinds[] = {"", "atomic ", "volatile "};
    return kinds[static_cast<unsigned>(kind)] + (writes ? "write" : "read");
}

}  // namespace

bool Checker::conflicts(Record const& earlier, BlockState const& block, unsigned lane, bool shared, Kind kind) const {
    if (earlier.time < launch_time_) {
        return false;
    }
    bool const same_block = earlier.block == block.clock.rank;
    LaneClock const& mine = block.clock.lanes[lane];
    auto const other = static_cast<unsigned>(earlier.lane);
    auto const other_kind = static_cast<Kind>(earlier.kind);
    if (same_block) {
        if (other == lane || earlier.time < block.clock.last_barrier ||
            (other / 32 == lane / 32 && earlier.time < mine.warp[other % 32])) {
            return false;
        }
    } else if (shared) {
        return false;  // of a block that had this shared memory before
    }
    if (is_strong(kind) && is_strong(other_kind)) {
        // Volatile is as good as a relaxed atomic, but within a warp it is the old style that relies on lockstep.
        bool const warp_synchronous =
            kind == Kind::is_volatile && other_kind == Kind::is_volatile && shared && other / 32 == lane / 32;
        if (!warp_synchronous) {
            return false;
        }
    }
    return mine.known == nullptr || !mine.known->covers(earlier.block, other, earlier.time);
}

// Keeps two reads that a write should be compared with (shadow.hpp).
void Checker::remember_read(Cell& cell, Record const& now, BlockState const& block, unsigned lane, bool shared) const {
    for (Record& read : cell.reads) {
        bool const same = read.block == now.block && read.lane == now.lane;
        // An ordered earlier read says nothing more. Compared as if it were plain, so that only order counts.
        Record plain = read;
        plain.kind = 0;
        if (same || !conflicts(plain, block, lane, shared, Kind::plain)) {
            read = now;
            return;
        }
    }
    // Neither is ordered before this one: replace one of the two so that the two that remain are far apart.
    auto const distance = [](Record const& a, Record const& b) {
        return a.block != b.block ? 3 : a.lane / 32 != b.lane / 32 ? 2 : a.lane != b.lane ? 1 : 0;
    };
    if (distance(cell.reads[0], now) >= distance(cell.reads[0], cell.reads[1])) {
        cell.reads[1] = now;
    }
}

void Checker::check_races(emulator::Lane& lane, BlockState& block, Shadow& shadow, std::size_t offset, bool shared,
                          Access const& access, Allocation const* allocation) {
    Record now;
    now.time = block.clock.lanes[lane.number].time;
    now.block = block.clock.rank;
    now.site = sites_.site(block.stacks[lane.number], access.pc);
    now.lane = lane.number & 0x3FFu;
    now.kind = static_cast<unsigned>(access.kind) & 3u;
    bool reported = false;
    shadow.for_cells(offset, access.bytes, [&](Cell& cell) {
        auto const check = [&](Record const& earlier, bool writes) {
            if (!reported && conflicts(earlier, block, lane.number, shared, access.kind)) {
                std::string const target =
                    allocation != nullptr ? allocation->describe(access.at) : "byte " + std::to_string(offset);
                report_race(lane, earlier, writes, shared, target, access);
                reported = true;
            }
        };
        check(cell.write, true);
        if (!access.is_write) {
            remember_read(cell, now, block, lane.number, shared);
            return;
        }
        check(cell.reads[0], false);
        check(cell.reads[1], false);
        if (access.is_update) {
            // An update includes the read before it, from which the emulator makes it. Whoever observes the update is
            // ordered after it as a whole, such as the last block, which counts the others and resets the counter.
            for (Record& read : cell.reads) {
                if (read.block != now.block || read.lane != now.lane)
                    continue;
                if (access.is_exchange && read.kind == static_cast<unsigned>(Kind::plain))
                    guesses_.insert(static_cast<CallSites::Site>(read.site));
                read = Record{};
            }
        }
        now.split = cell.write.split;
        cell.write = now;
        if (access.kind == Kind::plain) {
            cell.reads[0] = {};  // ordered before this write, or reported
            cell.reads[1] = {};
        }
    });
}

void Checker::report_race(emulator::Lane& lane, Record const& earlier, bool earlier_writes, bool shared,
                          std::string const& target, Access const& access) {
    CallSites::Site const here = sites_.site(state_of(lane.block()).stacks[lane.number], access.pc);
    if (!reported_sites_.insert(std::uint64_t{here} << 32 | earlier.site).second) {
        return;
    }
    bool const same_block = earlier.block == static_cast<std::uint32_t>(lane.block().rank());
    char const* missing = "no fence and atomic, nor the end of a kernel, orders the two blocks";
    if (same_block) {
        missing = earlier.lane / 32 == lane.number / 32 ? "no __syncwarp or __syncthreads between"
                                                        : "no __syncthreads between";
    }
    Report made = make_report(lane, Problem::race, "", access.pc);
    made.has_other = true;
    made.other = other_place(earlier);
    made.what = "race in " + std::string(shared ? "shared" : "global") + " memory (" +
                access_of(access.is_write, access.kind) + " of " + target + " after the " +
                access_of(earlier_writes, static_cast<Kind>(earlier.kind)) + " by " + text_of(made.other) + ", " +
                missing + ")";
    auto const earlier_kind = static_cast<Kind>(earlier.kind);
    bool const reads_update =
        !access.is_write && access.kind == Kind::plain && earlier_writes && is_strong(earlier_kind);
    bool const updates_read = access.is_update && !earlier_writes && earlier_kind == Kind::plain;
    if (reads_update || updates_read) {
        perhaps_guesses_.emplace_back(reads_update ? here : static_cast<CallSites::Site>(earlier.site),
                                      std::move(made));
    } else {
        add(std::move(made));
    }
}

void Checker::report_all_but_guesses() {
    for (auto& [read, race] : perhaps_guesses_) {
        if (!guesses_.contains(read)) {
            add(std::move(race));
        }
    }
    perhaps_guesses_.clear();
}

// Ordered by a release: what the lane did before its last fence, or with release order before the write itself.
void Checker::release(emulator::Lane& lane, Address at, bool has_order, bool is_update) {
    BlockState& block = state_of(lane.block());
    LaneClock& clock = block.clock.lanes[lane.number];
    Time const on_device = has_order ? ++clock.time : clock.fenced;
    Time const in_block = has_order ? clock.time : clock.fenced_in_block;
    if (in_block == 0) {
        if (!is_update && !released_.empty()) {
            released_.erase(at);  // a store without a fence tells nothing of earlier releases
        }
        return;
    }
    Released& word = released_[at];
    if (!is_update || word.block != block.clock.rank) {
        word.in_block = {};
    }
    if (!is_update) {
        word.on_device = {};
    }
    word.block = block.clock.rank;
    if (on_device != 0) {
        word.on_device.add(block.clock.released(lane.number, on_device));
    }
    word.in_block.add(block.clock.released(lane.number, in_block));
    word.device_snapshot = nullptr;
    word.block_snapshot = nullptr;
}

void Checker::acquire(emulator::Lane& lane, Address at, bool has_order) {
    if (released_.empty()) {
        return;
    }
    auto const found = released_.find(at);
    if (found == released_.end()) {
        return;
    }
    Released& word = found->second;
    BlockState& block = state_of(lane.block());
    LaneClock& clock = block.clock.lanes[lane.number];
    bool const same_block = word.block == block.clock.rank;
    Known& snapshot = same_block ? word.block_snapshot : word.device_snapshot;
    if (snapshot == nullptr) {
        auto made = std::make_shared<Knowledge>(word.on_device);
        if (same_block) {
            made->add(word.in_block);
        }
        snapshot = std::move(made);
    }
    Known& told = has_order ? clock.known : clock.pending;
    told = joined(told, snapshot);
}

void Checker::fence(emulator::Lane& lane, int order, Scope scope) {
    BlockState& block = state_of(lane.block());
    block.clock.fence(lane.number, scope >= Scope::device);
    if (weak_ != nullptr) {
        weak_->fence(*block.weak, lane.number, Strength::of(order, scope));
    }
}

}  // namespace lockstep::simt::hooks
