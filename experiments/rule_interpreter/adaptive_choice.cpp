#include "experiments/rule_interpreter/adaptive_choice.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr double min_slice_seconds = 2e-4;  // many times the cost of a launch and of waiting for it
constexpr unsigned min_passes_per_candidate = 16;
constexpr unsigned kept_slices = 16;    // slices of a trial that a slice of the kept candidate lasts
constexpr double clearly_slower = 1.5;  // such a candidate is not timed a second time
constexpr double worth_a_change = 0.98;
// Shares have moved clearly if they differ by this factor. A term keeps shares near 0 apart from noise.
constexpr double moved_factor = 1.5;
constexpr double moved_term = 0.01;

bool moved(double before, double now) {
    double const low = std::min(before, now) + moved_term;
    double const high = std::max(before, now) + moved_term;
    return high > moved_factor * low;
}

}  // namespace

AdaptiveChoice::AdaptiveChoice(std::size_t candidates, unsigned passes, Clock clock)
    : candidates_(candidates), clock_(std::move(clock)), left_(passes) {
    if (clock_ && is_worthwhile(candidates, passes))
        start_sizing();
}

bool AdaptiveChoice::is_worthwhile(std::size_t candidates, unsigned passes) {
    return candidates > 1 && passes / min_passes_per_candidate >= candidates;
}

AdaptiveChoice::Slice AdaptiveChoice::begin() {
    slice_ = {kept_, left_};
    if (phase_ == Phase::sizing)
        slice_.passes = std::min(left_, slice_passes_);
    else if (phase_ == Phase::trying)
        slice_ = {schedule_.back(), std::min(left_, slice_passes_)};
    else if (phase_ == Phase::keeping && left_ / kept_slices >= slice_passes_)
        slice_.passes = slice_passes_ * kept_slices;
    if (phase_ != Phase::fixed)
        start_ = clock_();
    return slice_;
}

void AdaptiveChoice::end(double share_enabled) {
    left_ -= slice_.passes;
    if (phase_ == Phase::fixed)
        return;
    double const seconds = clock_() - start_;
    if (phase_ == Phase::keeping) {
        if (moved(share_, share_enabled))
            start_sizing();
        return;
    }
    share_ = share_enabled;
    if (phase_ == Phase::trying)
        end_trial_slice(seconds / slice_.passes);
    else if (seconds >= min_slice_seconds && can_try())
        start_trying();
    else if (seconds < min_slice_seconds && slice_passes_ <= left_ / 2)
        slice_passes_ *= 2;
    else
        phase_ = Phase::keeping;
}

// Doubles the slices of the kept candidate until they last long enough.
void AdaptiveChoice::start_sizing() {
    phase_ = Phase::sizing;
    slice_passes_ = 1;
}

// A trial takes at most an eighth of the passes that are left.
bool AdaptiveChoice::can_try() const { return left_ / (min_passes_per_candidate * slice_passes_) >= candidates_; }

// There and back again, so that passes which become cheaper on the way favour nobody.
void AdaptiveChoice::start_trying() {
    phase_ = Phase::trying;
    costs_.assign(candidates_, std::numeric_limits<double>::infinity());
    schedule_.clear();
    for (std::size_t i = 0; i < candidates_; ++i)
        schedule_.push_back(i);
    for (std::size_t i = candidates_; i-- > 0;)
        schedule_.push_back(i);
}

void AdaptiveChoice::end_trial_slice(double seconds_per_pass) {
    double& cost = costs_[slice_.candidate];
    cost = std::min(cost, seconds_per_pass);
    schedule_.pop_back();
    double const best = *std::min_element(costs_.begin(), costs_.end());
    while (schedule_.size() > 0 && schedule_.size() <= candidates_ && costs_[schedule_.back()] > clearly_slower * best)
        schedule_.pop_back();
    if (schedule_.empty())
        keep_fastest();
}

void AdaptiveChoice::keep_fastest() {
    auto const fastest = std::min_element(costs_.begin(), costs_.end());
    if (*fastest < worth_a_change * costs_[kept_])
        kept_ = static_cast<std::size_t>(fastest - costs_.begin());
    ++trials_;
    phase_ = Phase::keeping;
}

}  // namespace lockstep::rule_interpreter::rule_file
