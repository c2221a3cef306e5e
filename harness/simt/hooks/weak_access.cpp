// The checker's accesses to a weak memory (weak_memory.hpp), and its report of scopes that are too narrow.

#include "harness/simt/emulator/draws.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/hooks/checker.hpp"

namespace lockstep::simt::hooks {
namespace {

// Mostly the latest value, so that loops that wait for one end soon.
class RandomChoices : public Choices {
public:
    RandomChoices(std::uint64_t seed, std::uint64_t launch) : draws_(seed, ~launch) {}
    unsigned of_read(unsigned count) override { return draws_.below(2) == 0 ? 0 : draws_.below(count); }
    unsigned of_store(unsigned count) override { return draws_.below(2) == 0 ? 0 : draws_.below(count); }

private:
    emulator::Draws draws_;
};

std::string name_of(Scope scope) {
    switch (scope) {
        case Scope::lane:
            return "thread";
        case Scope::block:
            return "block";
        case Scope::device:
            return "device";
        default:
            return "system";
    }
}

}  // namespace

void Checker::begin_weak_memory() {
    weak_ = nullptr;
    if (emulator::options().weak_memory) {
        choices_ = std::make_unique<RandomChoices>(emulator::options().seed, launches_);
        weak_ = std::make_unique<WeakMemory>(*choices_);
    }
    ++launches_;
}

// The memory in which the access is, or null if no other lane sees it.
Words* Checker::weak_words(emulator::Lane& lane, Access const& access) {
    emulator::SharedArena const& arena = lane.block().arena();
    if (access.at - reinterpret_cast<Address>(arena.data) < arena.bytes) {
        return &state_of(lane.block()).weak->shared;
    }
    bool const is_global = registry != nullptr && registry->find(access.at, access.bytes) != nullptr;
    return is_global ? &weak_->global() : nullptr;
}

void Checker::access_weakly(emulator::Lane& lane, BlockState& block, Words& words, Access const& access,
                            Strength strength) {
    if (access.is_write) {
        weak_->store(*block.weak, lane.number, words, access.at, access.bytes, strength, access.is_latest);
    } else {
        weak_->read(*block.weak, lane.number, words, access.at, access.bytes, strength, access.is_latest);
    }
    report_scope(lane, access, strength.scope);
}

void Checker::begin_atomic(emulator::Lane& lane, Access const& access, int order) {
    Words* const words = weak_ != nullptr ? weak_words(lane, access) : nullptr;
    if (words == nullptr) {
        return;
    }
    BlockState& block = state_of(lane.block());
    Strength const strength = Strength::of(order, emulator::told_scope());
    if (access.is_update) {
        weak_->begin_update(*block.weak, lane.number, strength);
    } else {
        access_weakly(lane, block, *words, access, strength);
    }
}

void Checker::end_atomic(emulator::Lane& lane, Access const& access, int order) {
    Words* const words = weak_ != nullptr ? weak_words(lane, access) : nullptr;
    if (words == nullptr) {
        return;
    }
    if (!access.is_update) {
        weak_->settle();
        return;
    }
    Strength const strength = Strength::of(order, emulator::told_scope());
    weak_->end_update(*state_of(lane.block()).weak, lane.number, *words, access.at, access.bytes, access.is_write,
                      strength);
    report_scope(lane, access, strength.scope);
}

void Checker::report_scope(emulator::Lane& lane, Access const& access, Scope scope) {
    WeakMemory::Conflict const& conflict = weak_->conflict();
    if (!conflict.exists) {
        return;
    }
    Record record;
    record.block = conflict.by.block;
    record.lane = conflict.by.lane & 0x3FFu;
    Report made = make_report(lane, Problem::insufficient_scope, "", access.pc);
    made.what = "insufficient scope (an access of " + name_of(scope) + " scope after a store of " +
                name_of(conflict.scope) + " scope by " + text_of(other_place(record)) +
                ": both must include the other's block)";
    add(std::move(made));
}

}  // namespace lockstep::simt::hooks
