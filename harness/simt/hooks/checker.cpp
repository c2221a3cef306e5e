#include "harness/simt/hooks/checker.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "harness/simt/emulator/shared_variables.hpp"

namespace lockstep::simt::hooks {

constinit Checker* active_checker = nullptr;

namespace {
constexpr std::size_t max_events = 1 << 14;  // of a lane's trace, before it waits for other lanes

EventKind kind_of_shared(emulator::WordUpdate update) {
    switch (update) {
        case emulator::WordUpdate::increment:
            return EventKind::shared_increment;
        case emulator::WordUpdate::swap:
            return EventKind::shared_swap;
        case emulator::WordUpdate::loop:
            return EventKind::shared_loop;
        default:
            return EventKind::shared_atomic;
    }
}

EventKind kind_of_global(emulator::WordUpdate update) {
    switch (update) {
        case emulator::WordUpdate::swap:
            return EventKind::global_swap;
        case emulator::WordUpdate::exchange:
        case emulator::WordUpdate::loop:
            return EventKind::global_update;
        default:
            return EventKind::global_atomic;
    }
}

}  // namespace

BlockState::BlockState(emulator::Block& running, Time now)
    : block(running),
      clock(static_cast<std::uint32_t>(running.rank()), static_cast<unsigned>(running.lanes().size()), now),
      stacks(running.lanes().size()),
      exits(running.lanes().size()),
      latest(running.lanes().size()),
      polled(running.lanes().size()) {}

Checker::Checker(Settings settings) : settings_(std::move(settings)) {}

void Checker::launch_begins(emulator::Launch& launch) {
    launch_ = &launch;
    turns_ = &emulator::turns_of_this_thread();
    launch_time_ = ++latest_;
    released_.clear();
    stack_ = nullptr;
    begin_weak_memory();
}

void Checker::launch_ends(emulator::Launch&) {
    report_all_but_guesses();
    launch_ = nullptr;
    weak_ = nullptr;
}

void Checker::block_begins(emulator::Block& block) {
    auto* const state = new BlockState(block, launch_time_);
    block.observed = state;
    std::size_t const bytes = block.arena().bytes;
    // Records of ended blocks in a shadow that is used again name other blocks, which are never compared.
    if (!spare_shadows_.empty() && spare_shadows_.back()->bytes() == bytes) {
        state->shared = std::move(spare_shadows_.back());
        spare_shadows_.pop_back();
        state->shared->mark_unset();
    } else {
        spare_shadows_.clear();
        state->shared = std::make_unique<Shadow>(bytes);
    }
    if (settings_.counters) {
        state->traces.resize((block.lanes().size() + 31) / 32);
    }
    if (weak_ != nullptr) {
        state->weak = std::make_unique<WeakBlock>(state->clock.rank, static_cast<unsigned>(state->clock.lanes.size()));
    }
}

void Checker::block_ends(emulator::Block& block) {
    std::unique_ptr<BlockState> const state(&state_of(block));
    block.observed = nullptr;
    if (weak_ != nullptr) {
        weak_->settle();
    }
    latest_ = std::max(latest_, state->clock.latest());
    spare_shadows_.push_back(std::move(state->shared));
    for (WarpTrace& trace : state->traces) {
        trace.merge(0, sites_, order_, tallies_);
    }
}

void Checker::run(emulator::Lane& lane, emulator::Launch& launch) {
    if (__builtin_setjmp(state_of(lane.block()).exits[lane.number].data()) == 0) {
        launch.lane(launch.argument);
    }
}

void Checker::barrier_completes(emulator::Block& block) {
    BlockState& state = state_of(block);
    state.clock.barrier();
    if (weak_ != nullptr) {
        weak_->barrier(*state.weak);
    }
    if (!settings_.counters) {
        return;
    }
    for (WarpTrace& trace : state.traces) {
        trace.merge(0, sites_, order_, tallies_);
    }
    for (emulator::Lane const& lane : block.lanes()) {
        if (lane.site.line() != 0 && !lane.exited()) {
            ++synchronised_[{lane.site.file_name(), lane.site.line()}].barriers;
            break;
        }
    }
}

void Checker::collective_completes(emulator::Lane& last) {
    BlockState& state = state_of(last.block());
    unsigned const warp = last.number / 32;
    // Only __syncwarp orders memory; votes and shuffles do not (CUDA C++ Programming Guide, B.6 and B.19 to B.22).
    if (last.collective == emulator::Collective::sync_warp) {
        state.clock.sync_warp(warp, last.mask);
        if (weak_ != nullptr) {
            weak_->sync_warp(*state.weak, warp, last.mask);
        }
    }
    if (!settings_.counters) {
        return;
    }
    ++synchronised_[{last.site.file_name(), last.site.line()}].warp_collectives;
    for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
        state.traces[warp].record(static_cast<unsigned>(std::countr_zero(rest)),
                                  Event{last.mask, 0, EventKind::collective, 0});
    }
}

std::string Checker::latest_place_of(emulator::Lane const& lane) {
    BlockState const& block = state_of(lane.block());
    std::uintptr_t const pc = block.latest[lane.number];
    if (pc == 0) {
        return {};
    }
    Place const& place = sites_.place(sites_.site(block.stacks[lane.number], pc));
    // A lane that has accessed nothing was last seen where the launch calls the kernel.
    return is_in_kernel(place) ? place.file + ":" + std::to_string(place.line) : "";
}

void Checker::trace(emulator::Lane& lane, BlockState& block, Access const& access, bool shared, std::size_t at) {
    auto kind = access.is_write ? EventKind::global_store : EventKind::global_load;
    if (shared) {
        kind = access.is_write ? EventKind::shared_store : EventKind::shared_load;
    }
    if (access.kind == Kind::atomic && access.is_update) {
        kind = shared ? kind_of_shared(emulator::told_update()) : kind_of_global(emulator::told_update());
    }
    unsigned const in_warp = lane.number % 32;
    WarpTrace& trace = block.traces[lane.number / 32];
    if (access.is_update) {
        trace.drop_load(in_warp, at);
    }
    CallSites::Site const site = sites_.site(block.stacks[lane.number], access.pc);
    for (std::size_t first = 0; first < access.bytes; first += 16) {  // a struct's copy in several requests
        auto const bytes = static_cast<unsigned>(std::min<std::size_t>(16, access.bytes - first));
        trace.record(in_warp,
                     Event{at + first, site, kind, static_cast<std::uint8_t>(bytes), access.kind == Kind::is_volatile});
    }
    limit_trace(lane, block);
}

void Checker::basic_block(emulator::Lane& lane, std::uintptr_t pc) {
    if (launch_->stopped.load(std::memory_order_relaxed)) {
        return;
    }
    BlockState& block = state_of(lane.block());
    block.traces[lane.number / 32].record(lane.number % 32,
                                          Event{0, sites_.site(block.stacks[lane.number], pc), EventKind::block, 0});
    limit_trace(lane, block);
}

// A lane far ahead waits for the others of its warp, whose traces then can be merged: memory stays bounded.
void Checker::limit_trace(emulator::Lane& lane, BlockState& block) {
    WarpTrace& trace = block.traces[lane.number / 32];
    if (trace.size(lane.number % 32) < max_events) {
        return;
    }
    trace.merge(lane.block().ready_lanes(lane.number / 32), sites_, order_, tallies_);
    if (trace.size(lane.number % 32) < max_events) {
        return;
    }
    yield(lane, emulator::Activity::works);
}

// No exception may leave the instrumentation. The lane may be within an atomic, whose scope the other lanes do not
// have.
void Checker::yield(emulator::Lane& lane, emulator::Activity before) {
    auto const scope = emulator::told_scope();
    auto const update = emulator::told_update();
    try {
        lane.block().yield(lane, before);
    } catch (emulator::Abandoned const&) {
        end_lane(lane);
    }
    emulator::tell_scope(scope, update);
}

void Checker::poll(emulator::Lane& lane, Address at) {
    if (launch_->stopped.load(std::memory_order_relaxed)) {
        return;
    }
    if (state_of(lane.block()).polled[lane.number] == at) {
        yield(lane, emulator::Activity::idles);
    }
    state_of(lane.block()).polled[lane.number] = at;
}

void Checker::declare(emulator::Lane& lane, SharedVariable const& variable) {
    std::vector<SharedVariable>& known = state_of(lane.block()).variables;
    auto const same = [&](SharedVariable const& other) { return other.offset == variable.offset; };
    if (auto const found = std::find_if(known.begin(), known.end(), same); found == known.end()) {
        known.push_back(variable);
    } else {
        found->bytes = std::max(found->bytes, variable.bytes);  // two kernels' or scopes' variables at one place
    }
}

void shared_variable(void const* data, std::size_t bytes, char const* name) {
    emulator::Lane* const lane = emulator::current_lane;
    if (active_checker != nullptr && lane != nullptr) {
        auto const offset = static_cast<std::byte const*>(data) - lane->block().arena().data;
        active_checker->declare(*lane, {static_cast<std::size_t>(offset), bytes, name});
    }
}

Checks::Checks(Settings settings) {
    if (active_checker != nullptr || emulator::observer != nullptr) {
        throw std::logic_error("cannot start checks (others are active)");
    }
    checker_ = std::make_unique<Checker>(std::move(settings));
    active_checker = checker_.get();
    emulator::keep_shared_variables_apart(checker_->settings().memory && !checker_->settings().counters);
    emulator::observer = checker_.get();
    catch_signals();
}

Checks::~Checks() {
    release_signals();
    emulator::observer = nullptr;
    active_checker = nullptr;
    emulator::keep_shared_variables_apart(false);
}

std::vector<Report> const& Checks::reports() const { return checker_->reports(); }

Counters Checks::counters() const { return checker_->counters({}); }
Counters Checks::counters(TypeAlignments const& alignments) const { return checker_->counters(alignments); }

}  // namespace lockstep::simt::hooks
