#include "harness/simt/emulator/block.hpp"

#include <bit>
#include <exception>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

thread_local constinit lockstep::simt::emulator::Index threadIdx;
thread_local constinit lockstep::simt::emulator::Index blockIdx;
thread_local constinit lockstep::simt::emulator::Index blockDim;
thread_local constinit lockstep::simt::emulator::Index gridDim;

namespace lockstep::simt::emulator {
namespace {

thread_local Lane* current_lane = nullptr;

Index index_of(std::uint64_t rank, Dim3 const& shape) {
    return {static_cast<unsigned>(rank % shape.x), static_cast<unsigned>(rank / shape.x % shape.y),
            static_cast<unsigned>(rank / shape.x / shape.y)};
}

unsigned ready_lanes(Warp const& warp) {
    unsigned ready = 0;
    for (unsigned rest = warp.present & ~warp.exited & ~warp.at_collective; rest != 0; rest &= rest - 1) {
        auto const i = static_cast<unsigned>(std::countr_zero(rest));
        if (warp.lanes[i].ready()) {
            ready |= 1u << i;
        }
    }
    return ready;
}

Index as_index(Dim3 const& shape) { return {shape.x, shape.y, shape.z}; }

}  // namespace

Lane& running_lane() { return *current_lane; }

Block::Block(Launch& launch, std::uint64_t rank, Options const& options)
    : launch_(launch),
      index_(index_of(rank, launch.shape.grid)),
      options_(options),
      random_(static_cast<std::minstd_rand::result_type>(options.seed * 2654435761u + rank + 1)),
      arena_(launch.shape.shared_bytes),
      lanes_(launch.shape.block.count()),
      warps_(ceil_div(lanes_.size(), 32u)),
      live_lanes_(static_cast<unsigned>(lanes_.size())),
      last_progress_(std::chrono::steady_clock::now()) {
    for (unsigned i = 0; i < lanes_.size(); ++i) {
        lanes_[i].block = this;
        lanes_[i].number = i;
        lanes_[i].thread = index_of(i, launch.shape.block);
        warps_[i / 32].lanes = &lanes_[i / 32 * 32];
        warps_[i / 32].present |= 1u << (i % 32);
    }
    if constexpr (sanitizers::threads) {
        give_back(borrow_fiber());
    }  // rotates the pool by one, so that no lane gets the same fiber again
    sanitizers::release(&began_);
}

bool Block::sweep() {
    blockIdx = index_;
    blockDim = as_index(launch_.shape.block);
    gridDim = as_index(launch_.shape.grid);
    slept_only_ = true;
    bool ran = false;
    unsigned const warps = static_cast<unsigned>(warps_.size());
    for (unsigned turn = 0; turn < warps; ++turn) {
        unsigned const warp = options_.order == LaneOrder::descending ? warps - 1 - turn : turn;
        unsigned ready = ready_lanes(warps_[warp]);
        while (ready != 0 && !launch_.stopped.load(std::memory_order_relaxed)) {
            unsigned const chosen = pick(ready);
            ready &= ~(1u << chosen);
            take_turn(lanes_[32 * warp + chosen]);
            ran = true;
        }
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

void Block::take_turn(Lane& lane) {
    if (lane.status == LaneStatus::unstarted) {
        lane.status = LaneStatus::runnable;
        lane.fiber = borrow_fiber();
        lane.fiber->assign({[](void* pointer) {
                                Lane& started = *static_cast<Lane*>(pointer);
                                started.block->run_lane(started);
                            },
                            &lane});
    }
    current_lane = &lane;
    threadIdx = lane.thread;
    lane.asleep = false;
    lane.fiber->resume();
    current_lane = nullptr;
    if (!lane.asleep) {
        slept_only_ = false;
    }
    if (!lane.done()) {
        return;
    }
    if constexpr (sanitizers::threads) {
        finished_fibers_.push_back(
            std::move(lane.fiber));  // keep it: no other lane of this block may run on this fiber
        if (live_lanes_ == 0) {
            for (auto& fiber : finished_fibers_) {
                give_back(std::move(fiber));
            }
            finished_fibers_.clear();
        }
    } else {
        give_back(std::move(lane.fiber));
    }
}

// Runs on the lane's fiber: executes the kernel from start to end.
void Block::run_lane(Lane& lane) {
    sanitizers::acquire(&began_);
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
    for (unsigned rest = warp.at_collective; rest != 0; rest &= rest - 1) {
        Lane const& waiting = warp.lanes[std::countr_zero(rest)];
        if ((waiting.mask & bit) != 0) {
            launch_.stop("a mask names an exited lane (lane " + std::to_string(lane.number % 32) +
                         " exited while another lane waited for it) " + location(waiting));
            return;
        }
    }
    if (live_lanes_ != 0 && lanes_at_barrier_ == live_lanes_) {
        complete_barrier();
    }
}

void Block::wait(Lane& lane) {
    lane.fiber->suspend();
    if (launch_.stopped.load(std::memory_order_relaxed)) {
        throw Abandoned{};
    }
}

void Block::yield(Lane& lane, bool asleep) {
    lane.asleep = asleep;
    wait(lane);
}

void Block::abandon() {
    for (Lane& lane : lanes_) {
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

std::string Block::location(Lane const& lane) const {
    auto const triple = [](Index const& i) {
        return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
    };
    std::string text = "in kernel '" + std::string(launch_.name) + "', block " + triple(index_) + ", warp " +
                       std::to_string(lane.number / 32) + ", lane " + std::to_string(lane.number % 32);
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
    for (Lane const& lane : lanes_) {
        if (lane.done() || shown == 4) {
            continue;
        }
        text += (shown++ == 0 ? " " : "; and ") + location(lane);
        text += lane.status == LaneStatus::at_barrier ? " at the block's barrier" : " at a warp collective";
    }
    launch_.stop(text);
}

void Block::report_endless_sleep() {
    auto const now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - last_progress_).count() < options_.spin_limit_seconds) {
        return;
    }
    for (Lane const& lane : lanes_) {
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
