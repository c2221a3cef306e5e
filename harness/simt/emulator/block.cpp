#include "harness/simt/emulator/block.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <numeric>
#include <utility>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

thread_local constinit lockstep::simt::emulator::Index threadIdx;
thread_local constinit lockstep::simt::emulator::Index blockIdx;
thread_local constinit lockstep::simt::emulator::Index blockDim;
thread_local constinit lockstep::simt::emulator::Index gridDim;

namespace lockstep::simt::emulator {
namespace {

thread_local constinit Lane* current_lane = nullptr;
thread_local constinit Turns turns;

Index index_of(std::uint64_t rank, Dim3 const& shape) {
    return {static_cast<unsigned>(rank % shape.x), static_cast<unsigned>(rank / shape.x % shape.y),
            static_cast<unsigned>(rank / shape.x / shape.y)};
}

// The next thread index of a block, x first.
void advance(Index& thread, Dim3 const& block) {
    if (++thread.x < block.x) {
        return;
    }
    thread.x = 0;
    if (++thread.y < block.y) {
        return;
    }
    thread.y = 0;
    ++thread.z;
}

Index as_index(Dim3 const& shape) { return {shape.x, shape.y, shape.z}; }

}  // namespace

Lane& running_lane() { return *current_lane; }

Turns const& turns_of_this_thread() { return turns; }

Block::Block(Launch& launch, std::uint64_t rank, Options const& options)
    : launch_(launch),
      rank_(rank),
      index_(index_of(rank, launch.shape.grid)),
      options_(options),
      random_(static_cast<std::minstd_rand::result_type>(options.seed * 2654435761u + rank + 1)),
      arena_(launch.shape.shared_bytes),
      lane_count_(static_cast<unsigned>(launch.shape.block.count())),
      lanes_(std::make_unique_for_overwrite<Lane[]>(lane_count_)),
      warps_(ceil_div(lane_count_, 32u)),
      live_lanes_(lane_count_),
      last_progress_(std::chrono::steady_clock::now()) {
    Index thread;
    for (unsigned i = 0; i < lane_count_; ++i) {
        lanes_[i].block = this;
        lanes_[i].number = i;
        lanes_[i].thread = thread;
        advance(thread, launch.shape.block);
    }
    for (unsigned first = 0; first < lane_count_; first += 32) {
        Warp& warp = warps_[first / 32];
        warp.lanes = &lanes_[first];
        warp.present = ~0u >> (32 - std::min(32u, lane_count_ - first));
        warp.ready = warp.present;
    }
    if (options.order == LaneOrder::random) {
        shuffled_warps_.resize(warps_.size());
        std::iota(shuffled_warps_.begin(), shuffled_warps_.end(), 0u);
    }
    if (options.order == LaneOrder::unfair) {
        priorities_.resize(lane_count_);
        for (unsigned& priority : priorities_) {
            priority = lowest_priority_ + static_cast<unsigned>(random_());
        }
    }
    if constexpr (sanitizers::threads) {
        orders_ = std::make_unique<BlockOrders>();
        sanitizers::release(&orders_->began);
    }
}

bool Block::sweep() {
    blockIdx = index_;
    blockDim = as_index(launch_.shape.block);
    gridDim = as_index(launch_.shape.grid);
    slept_only_ = true;
    bool ran = false;
    turn_ = 0;
    turns_left_ = lane_count_;
    ready_ = 0;
    chosen_ = nullptr;
    std::shuffle(shuffled_warps_.begin(), shuffled_warps_.end(), random_);
    while (Lane* const lane = next_lane()) {
        ran = true;
        take_turn(*lane);
    }
    if (launch_.stopped.load(std::memory_order_relaxed) || live_lanes_ == 0) {
        return false;
    }
    if (!ran) {
        report_no_progress();
    }
    if (slept_only_) {
        report_endless_sleep();
    } else {
        last_progress_ = std::chrono::steady_clock::now();
    }
    return !launch_.stopped.load(std::memory_order_relaxed);
}

// Returns the lane whose turn it is in this sweep, or null after the last one.
Lane* Block::next_lane() {
    if (launch_.stopped.load(std::memory_order_relaxed)) {
        return nullptr;
    }
    if (chosen_ != nullptr) {
        return std::exchange(chosen_, nullptr);
    }
    if (options_.order == LaneOrder::unfair) {
        return lane_of_highest_priority();
    }
    while (ready_ == 0) {
        if (turn_ == warps_.size()) {
            return nullptr;
        }
        warp_ = warp_of_turn(turn_++);
        ready_ = warps_[warp_].ready;
    }
    unsigned const lane = pick(ready_);
    ready_ &= ~(1u << lane);
    return &lanes_[32 * warp_ + lane];
}

Lane* Block::lane_of_highest_priority() {
    if (turns_left_ == 0) {
        return nullptr;
    }
    --turns_left_;
    Lane* highest = nullptr;
    for (Warp& warp : warps_) {
        for (unsigned rest = warp.ready; rest != 0; rest &= rest - 1) {
            Lane& lane = warp.lanes[std::countr_zero(rest)];
            if (highest == nullptr || priorities_[lane.number] > priorities_[highest->number]) {
                highest = &lane;
            }
        }
    }
    return highest;
}

unsigned Block::warp_of_turn(unsigned turn) const {
    switch (options_.order) {
        case LaneOrder::ascending:
            return turn;
        case LaneOrder::descending:
            return static_cast<unsigned>(warps_.size()) - 1 - turn;
        default:
            return shuffled_warps_[turn];
    }
}

unsigned Block::pick(unsigned ready) {
    if (options_.order == LaneOrder::ascending) {
        return static_cast<unsigned>(std::countr_zero(ready));
    }
    if (options_.order == LaneOrder::descending) {
        return 31 - static_cast<unsigned>(std::countl_zero(ready));
    }
    for (auto skip = static_cast<unsigned>(random_() >> 8) % static_cast<unsigned>(std::popcount(ready)); skip > 0;
         --skip) {
        ready &= ready - 1;
    }
    return static_cast<unsigned>(std::countr_zero(ready));
}

void Block::start_on(std::unique_ptr<Fiber> fiber, Lane& lane) {
    lane.status = LaneStatus::started;
    lane.fiber = std::move(fiber);
}

void Block::begin_turn(Lane& lane) {
    current_lane = &lane;
    threadIdx = lane.thread;
    lane.asleep = false;
    turns.begin(lane);
}

void Block::take_turn(Lane& lane) {
    if (lane.status == LaneStatus::unstarted) {
        start_on(borrow_fiber(rank_), lane);
        lane.fiber->assign({[](void* pointer) {
                                auto* const started = static_cast<Lane*>(pointer);
                                started->block->run_lanes(started);
                            },
                            &lane});
    }
    begin_turn(lane);
    Fiber& fiber = *lane.fiber;
    fiber.resume();
    turns.end();
    Lane& last = *std::exchange(current_lane, nullptr);  // other lanes may have had their turns, too
    if (!last.done()) {
        return;
    }
    if constexpr (sanitizers::threads) {
        finished_fibers_.push_back(
            std::move(last.fiber));  // keep it: no other lane of this block may run on this fiber
        if (live_lanes_ == 0) {
            for (auto& finished : finished_fibers_) {
                give_back(std::move(finished));
            }
            finished_fibers_.clear();
        }
    } else {
        give_back(std::move(last.fiber));
    }
}

// Runs on a fiber: one lane after the other, until one waits. Most lanes of most kernels never wait, so they need no
// fiber of their own and no switch. ThreadSanitizer has to see each lane on a fiber of its own.
void Block::run_lanes(Lane* lane) {
    for (;;) {
        run_lane(*lane);
        slept_only_ = false;
        if constexpr (sanitizers::threads) {
            return;
        }
        Lane* const next = next_lane();
        if (next == nullptr || next->status != LaneStatus::unstarted) {
            chosen_ = next;
            return;
        }
        start_on(std::move(lane->fiber), *next);
        begin_turn(*next);
        lane = next;
    }
}

// Executes the kernel from start to end.
void Block::run_lane(Lane& lane) {
    if constexpr (sanitizers::threads) {
        sanitizers::name_fiber(place(lane));
        sanitizers::acquire(&orders_->began);
    }
    try {
        launch_.lane(launch_.argument);
    } catch (Abandoned const&) {
        // The launch has already stopped with an error.
    } catch (std::exception const& error) {
        launch_.stop(std::string("a lane threw an exception (") + error.what() + ") " + location(lane));
    }
    sanitizers::release(&launch_.ended);
    lane.status = LaneStatus::exited;
    --live_lanes_;
    if (!launch_.stopped.load(std::memory_order_relaxed)) {
        lane_ended(lane);
    }
}

void Block::lane_ended(Lane& lane) {
    Warp& warp = warp_of(lane);
    unsigned const bit = 1u << (lane.number % 32);
    warp.exited |= bit;
    warp.ready &= ~bit;
    for (unsigned rest = warp.at_collective; rest != 0; rest &= rest - 1) {
        Lane const& waiting = warp.lanes[std::countr_zero(rest)];
        if ((waiting.mask & bit) != 0) {
            launch_.stop("a mask names an exited lane (lane " + std::to_string(lane.number % 32) +
                         " exited while another lane waited for it) " + location(waiting));
            return;
        }
    }
    if (live_lanes_ != 0 && waiting_.lanes == live_lanes_) {
        complete_barrier();
    }
}

// Switches to the next lane of the sweep if that one has a fiber, otherwise to sweep().
void Block::wait(Lane& lane) {
    if (!lane.asleep) {
        slept_only_ = false;
    }
    Lane* const next = next_lane();
    if (next == &lane) {
        begin_turn(lane);
    } else if (next != nullptr && next->status == LaneStatus::started) {
        begin_turn(*next);
        lane.fiber->suspend_for(*next->fiber);
    } else {
        chosen_ = next;
        lane.fiber->suspend();
    }
    if (launch_.stopped.load(std::memory_order_relaxed)) {
        throw Abandoned{};
    }
}

void Block::yield(Lane& lane, bool asleep) {
    lane.asleep = asleep;
    if (options_.order == LaneOrder::unfair && (asleep || random_() % 16 == 0)) {
        priorities_[lane.number] = --lowest_priority_;
    }
    wait(lane);
}

void Block::abandon() {
    for (Lane& lane : lanes()) {
        if (lane.status == LaneStatus::unstarted || lane.done()) {
            continue;
        }
        current_lane = &lane;
        lane.fiber->resume();
        give_back(std::move(lane.fiber));
    }
    for (auto& fiber : finished_fibers_) {
        give_back(std::move(fiber));
    }
    finished_fibers_.clear();
    current_lane = nullptr;
}

std::string Block::place(Lane const& lane) const {
    auto const triple = [](Index const& i) {
        return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
    };
    return "block " + triple(index_) + ", warp " + std::to_string(lane.number / 32) + ", lane " +
           std::to_string(lane.number % 32);
}

std::string Block::location(Lane const& lane) const {
    std::string text = "in kernel '" + std::string(launch_.name) + "', " + place(lane);
    if (lane.site.line() != 0) {
        text += ", at " + std::string(lane.site.file_name()) + ":" + std::to_string(lane.site.line());
    }
    return text;
}

void Block::refuse(Lane const& lane, std::string const& what, std::source_location site) {
    Lane named;
    named.number = lane.number;
    named.site = site;
    launch_.stop(what + " " + location(named));
    throw Abandoned{};
}

void Block::report_no_progress() {
    std::string text = "no lane can proceed (each waits for another)";
    unsigned shown = 0;
    for (Lane const& lane : lanes()) {
        if (lane.done() || shown == 4) {
            continue;
        }
        text += (shown++ == 0 ? " " : "; and ") + location(lane);
        bool const at_barrier = (warp_of(lane).at_barrier >> (lane.number % 32) & 1) != 0;
        text += at_barrier ? " at the block's barrier" : " at a warp collective";
    }
    launch_.stop(text);
}

void Block::report_endless_sleep() {
    auto const now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - last_progress_).count() < options_.spin_limit_seconds) {
        return;
    }
    for (Lane const& lane : lanes()) {
        if (lane.done()) {
            continue;
        }
        launch_.stop("no lane can proceed (all runnable lanes only sleep in polling loops) " + location(lane));
        return;
    }
}

void Launch::stop(std::string const& message) {
    std::lock_guard const lock(mutex);
    if (!stopped.load()) {
        error = message;
    }
    stopped.store(true);
    sanitizers::release(&ended);  // the host reads the message
}

}  // namespace lockstep::simt::emulator
