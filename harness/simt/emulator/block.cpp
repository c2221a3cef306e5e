#include "harness/simt/emulator/block.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/context_switch.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

thread_local constinit lockstep::simt::emulator::Index threadIdx;
thread_local constinit lockstep::simt::emulator::Index blockIdx;
thread_local constinit lockstep::simt::emulator::Index blockDim;
thread_local constinit lockstep::simt::emulator::Index gridDim;

namespace lockstep::simt::emulator {

thread_local constinit Lane* current_lane = nullptr;
constinit Observer* observer = nullptr;

namespace {

thread_local constinit Turns turns;

Index index_of(std::uint64_t rank, Dim3 const& shape) {
    return {static_cast<unsigned>(rank % shape.x), static_cast<unsigned>(rank / shape.x % shape.y),
            static_cast<unsigned>(rank / shape.x / shape.y)};
}

Index as_index(Dim3 const& shape) { return {shape.x, shape.y, shape.z}; }

}  // namespace

Turns& turns_of_this_thread() { return turns; }

BlockLanes::BlockLanes(Dim3 const& shape)
    : count(static_cast<unsigned>(shape.count())), lanes(new Lane[count]), warps(ceil_div(count, 32u)) {
    for (unsigned i = 0; i < count; ++i) {
        lanes[i] = {};
        lanes[i].warp = &warps[i / 32];
        lanes[i].number = i;
        lanes[i].thread = index_of(i, shape);
    }
    for (unsigned first = 0; first < count; first += 32) {
        warps[first / 32].lanes = &lanes[first];
        warps[first / 32].present = ~0u >> (32 - std::min(32u, count - first));
    }
}

Block::Block(Launch& launch, std::uint64_t rank, Options const& options, BlockLanes& lanes)
    : launch_(launch),
      rank_(rank),
      options_(options),
      lanes_(lanes.lanes.get()),
      warps_(lanes.warps.data()),
      lane_count_(lanes.count),
      warp_count_(static_cast<unsigned>(lanes.warps.size())),
      live_lanes_(lanes.count),
      index_(index_of(rank, launch.shape.grid)),
      arena_(launch.shape.shared_bytes),
      draws_(options.seed, rank) {
    for (Warp& warp : lanes.warps) {
        warp = {.block = this, .lanes = warp.lanes, .present = warp.present, .ready = warp.present};
    }
    begin_order();
    if constexpr (sanitizers::threads) {
        orders_ = std::make_unique<BlockOrders>();
        sanitizers::release(&orders_->began);
    }
    if (observer != nullptr) {
        observer->block_begins(*this);
    }
}

Block::~Block() {
    if (observer != nullptr) {
        observer->block_ends(*this);
    }
}

// Returns one of the lanes in ready_.
[[gnu::always_inline]] inline unsigned Block::pick() {
    switch (options_.order) {
        case LaneOrder::ascending:
            return static_cast<unsigned>(std::countr_zero(ready_));
        case LaneOrder::descending:
            return 31 - static_cast<unsigned>(std::countl_zero(ready_));
        default:
            return shuffled_lanes_[--ready_count_];
    }
}

// Returns the lane whose turn it is in this round, or null after the last one.
[[gnu::always_inline]] inline Lane* Block::next_lane() {
    if (launch_.stopped.load(std::memory_order_relaxed)) {
        return nullptr;
    }
    if (options_.order == LaneOrder::unfair) {
        return lane_of_highest_priority();
    }
    if (ready_ == 0 && !begin_warp()) {
        return nullptr;
    }
    unsigned const lane = pick();
    ready_ &= ~(1u << lane);
    return &warp_->lanes[lane];
}

bool Block::sweep() {
    blockIdx = index_;
    blockDim = as_index(launch_.shape.block);
    gridDim = as_index(launch_.shape.grid);
    begin_round();
    Lane* lane = next_lane();
    bool const ran = lane != nullptr;
    while (lane != nullptr && !launch_.stopped.load(std::memory_order_relaxed)) {
        go_to(*lane);
        lane = std::exchange(chosen_, nullptr);
    }
    if (launch_.stopped.load(std::memory_order_relaxed) || live_lanes_ == 0) {
        return false;
    }
    if (!ran) {
        report_no_progress("each waits for another");
    }
    if (activity_ == Activity::sleeps) {
        report_endless_sleep();
    } else {
        sleeping_.reset();
    }
    if (activity_ != Activity::works) {
        report_idle_lanes();
    } else {
        idling_.reset();
        launch_.changes.fetch_add(1, std::memory_order_relaxed);
    }
    return !launch_.stopped.load(std::memory_order_relaxed);
}

[[gnu::always_inline]] inline void Block::begin_turn(Lane& lane) {
    current_lane = &lane;
    threadIdx = lane.thread;
    turns.begin(lane);
}

void Block::start_on(Fiber* fiber) {
    runner_ = fiber;
    fiber->assign({[](void* block) { static_cast<Block*>(block)->run_lanes(); }, this});
}

Context& Block::context_of(Lane const& lane) { return lane.has_fiber() ? *lane.fiber : *runner_; }

// Called on the home context: gives a lane its turn, and returns when no other lane has been continued by it.
void Block::go_to(Lane& lane) {
    if (!lane.has_fiber()) {
        start_on(borrow_fiber(rank_));
    }
    begin_turn(lane);
    home_.begin();
    home_.switch_to(context_of(lane));
    current_lane = nullptr;
    turns.end();
    if constexpr (sanitizers::threads) {
        if (ended_fiber_ != nullptr) {
            ended_fibers_.push_back(std::exchange(ended_fiber_, nullptr));
        }
        if (live_lanes_ == 0) {
            return_ended_fibers();
        }
    }
}

// Called on a fiber that is to be left, for the next lane or null: the context to go to. That is the home context if it
// needs a fiber that this CPU thread does not have.
Context& Block::context_of_next(Lane* next) {
    if (next == nullptr) {
        return home_;
    }
    if (!next->has_fiber()) {
        Fiber* const fiber = idle_fiber();
        if (fiber == nullptr) {
            chosen_ = next;
            return home_;
        }
        start_on(fiber);
    }
    begin_turn(*next);
    return context_of(*next);
}

[[gnu::always_inline]] inline void Block::lane_ended(Lane& lane) {
    Warp& warp = *lane.warp;
    unsigned const bit = lane.bit();
    warp.exited |= bit;
    warp.ready &= ~bit;
    if (lane.has_fiber()) {
        runner_ = lane.fiber;
    }
    --live_lanes_;
    activity_ = Activity::works;
    if ((warp.at_collective | waiting_.lanes) != 0 && !launch_.stopped.load(std::memory_order_relaxed)) {
        check_waiting_for(lane);
    }
}

// Executes the kernel from start to end.
[[gnu::always_inline]] inline void Block::run_lane(Lane& lane) {
    if constexpr (sanitizers::threads) {
        sanitizers::name_fiber(place(lane).data);
        sanitizers::acquire(&orders_->began);
    }
    try {
        if (observer != nullptr) {
            observer->run(lane, launch_);
        } else {
            launch_.lane(launch_.argument);
        }
    } catch (Abandoned const&) {
        // The launch has already stopped with an error.
    } catch (std::exception const& error) {
        launch_.stop(std::string("a lane threw an exception (") + error.what() + ") " + location(lane));
    }
    sanitizers::release(&launch_.ended);
    lane_ended(lane);
}

// Runs on a fiber: one lane after the other, until one waits. Most lanes of most kernels never wait, so they need no
// fiber of their own and no switch. ThreadSanitizer has to see each lane on a fiber of its own.
void Block::run_lanes() {
    Lane* next = current_lane;
    for (;;) {
        run_lane(*next);
        next = next_lane();
        if (sanitizers::threads || next == nullptr || next->has_fiber()) {
            break;
        }
        begin_turn(*next);
    }
    Fiber& fiber = *runner_;
    if constexpr (sanitizers::threads) {
        ended_fiber_ = &fiber;
        chosen_ = next;
        fiber.switch_to(home_);
    } else {
        give_back(&fiber);
        fiber.switch_to(context_of_next(next));
    }
}

void Block::check_waiting_for(Lane const& ended) {
    if (options_.masks_may_name_exited_lanes) {
        leave_masks(ended);
    }
    for (unsigned rest = ended.warp->at_collective; rest != 0; rest &= rest - 1) {
        Lane const& waiting = ended.warp->lanes[std::countr_zero(rest)];
        if ((waiting.mask & ended.bit()) != 0) {
            launch_.stop("a mask names an exited lane (lane " + std::to_string(ended.number % 32) +
                         " exited while another lane waited for it) " + location(waiting));
            return;
        }
    }
    if (live_lanes_ != 0 && waiting_.lanes == live_lanes_) {
        complete_barrier();
    }
}

// Returns at the lane's next turn.
void Block::wait(Lane& lane, Activity before) {
    activity_ = before == Activity::works ? before : std::max(activity_, before);
    Lane* const next = next_lane();
    if (next == &lane) {
        begin_turn(lane);
    } else {
        if (!lane.has_fiber()) {
            lane.warp->with_fiber |= lane.bit();
            lane.fiber = runner_;
        }
        Fiber& fiber = *lane.fiber;
        fiber.switch_to(context_of_next(next));
    }
    if (launch_.stopped.load(std::memory_order_relaxed)) {
        throw Abandoned{};
    }
}

void Block::yield(Lane& lane, Activity before) {
    if (options_.order == LaneOrder::unfair) {
        lower_priority(lane, before);
    }
    wait(lane, before);
}

void Block::abandon() {
    for (Lane& lane : lanes()) {
        if (lane.has_fiber() && !lane.exited()) {
            go_to(lane);
        }
    }
    return_ended_fibers();
}

void Block::return_ended_fibers() {
    for (Fiber* const fiber : ended_fibers_) {
        give_back(fiber);
    }
    ended_fibers_.clear();
}

}  // namespace lockstep::simt::emulator
