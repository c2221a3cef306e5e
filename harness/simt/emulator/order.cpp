// Which lane of a block is next (options.hpp describes the orders).

#include <bit>
#include <numeric>

#include "harness/simt/emulator/block.hpp"

namespace lockstep::simt::emulator {

void Block::begin_order() {
    if (options_.order == LaneOrder::random) {
        std::iota(shuffled_warps_.begin(), shuffled_warps_.end(), static_cast<unsigned char>(0));
    }
    if (options_.order == LaneOrder::unfair) {
        // Lanes append to it. If that allocated memory, ThreadSanitizer would report a race between two lanes.
        ranking_.reserve(4 * std::size_t{lane_count_} + 1);
        ranking_.resize(lane_count_);
        std::iota(ranking_.begin(), ranking_.end(), 0u);
        shuffle(ranking_.data(), lane_count_, draws_);
        update_ranks();
    }
}

void Block::begin_round() {
    turn_ = 0;
    turns_left_ = lane_count_;
    ready_ = 0;
    activity_ = Activity::sleeps;
    if (options_.order == LaneOrder::random) {
        shuffle(shuffled_warps_.data(), warp_count_, draws_);
    }
}

// Goes on to the next warp that has lanes that can run. Returns false after the last one.
bool Block::begin_warp() {
    while (turn_ < warp_count_) {
        unsigned const turn = turn_++;
        warp_ = options_.order == LaneOrder::ascending    ? &warps_[turn]
                : options_.order == LaneOrder::descending ? &warps_[warp_count_ - 1 - turn]
                                                          : &warps_[shuffled_warps_[turn]];
        ready_ = warp_->ready;
        if (ready_ != 0) {
            if (options_.order == LaneOrder::random) {
                shuffle_ready_lanes();
            }
            return true;
        }
    }
    return false;
}

void Block::shuffle_ready_lanes() {
    ready_count_ = 0;
    for (unsigned rest = ready_; rest != 0; rest &= rest - 1) {
        shuffled_lanes_[ready_count_++] = static_cast<unsigned char>(std::countr_zero(rest));
    }
    shuffle(shuffled_lanes_.data(), ready_count_, draws_);
}

Lane* Block::lane_of_highest_priority() {
    if (turns_left_ == 0) {
        return nullptr;
    }
    --turns_left_;
    for (; first_rank_ < ranking_.size(); ++first_rank_) {
        Lane& lane = lanes_[ranking_[first_rank_]];
        if ((lane.warp->ready & lane.bit()) != 0 && rank_of_lane_[lane.number] == first_rank_) {
            return &lane;
        }
    }
    return nullptr;
}

// A lane that sleeps, or that draws it, becomes the last.
void Block::lower_priority(Lane const& lane, Activity before) {
    if (before != Activity::sleeps && draws_.below(16) != 0) {
        return;
    }
    rank_of_lane_[lane.number] = static_cast<unsigned>(ranking_.size());
    ranking_.push_back(lane.number);
    if (ranking_.size() > 4 * std::size_t{lane_count_}) {  // most entries are of lanes that have a later one
        unsigned rank = 0;
        std::erase_if(ranking_, [&](unsigned number) { return rank_of_lane_[number] != rank++; });
        update_ranks();
    }
}

void Block::update_ranks() {
    rank_of_lane_.resize(lane_count_);
    for (unsigned rank = 0; rank < ranking_.size(); ++rank) {
        rank_of_lane_[ranking_[rank]] = rank;
    }
    first_rank_ = 0;
}

}  // namespace lockstep::simt::emulator
