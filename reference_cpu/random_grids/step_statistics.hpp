#pragma once
// Statistics that the slides report: steps and words per set, the share of the candidates that a step keeps, and the
// steps of a warp's 32 neighbouring streams, where the slowest decides. They are deterministic, so they are metrics and
// not measurements.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/bench/metric.hpp"

namespace lockstep::random_grids {

class StepStatistics {
public:
    // Sets arrive stream by stream; sets with the same number in 32 consecutive streams would share a warp.
    void begin_stream(std::uint64_t stream) {
        if (stream % 32 == 0)
            slowest_.clear();
        set_ = 0;
    }

    void end_stream(std::uint64_t stream) {
        if (stream % 32 != 31)
            return;
        for (std::uint64_t const slowest : slowest_)
            slowest_sum_ += static_cast<double>(slowest);
        slowest_sets_ += slowest_.size();
    }

    // Counts one step; observer of halve().
    void step(unsigned candidates, unsigned selected, bool included) {
        ++steps_;
        unsigned const left = included ? candidates - selected : selected;
        kept_ += static_cast<double>(left) / candidates;
        included_ += included ? 1 : 0;
    }

    // Adds steps counted by the caller, for algorithms that only count them.
    void add_steps(std::uint64_t steps) { steps_ += steps; }

    void end_set(std::uint64_t words) {
        total_steps_ += static_cast<double>(steps_);
        total_squares_ += static_cast<double>(steps_) * static_cast<double>(steps_);
        total_words_ += static_cast<double>(words);
        if (steps_ < max_counted)
            ++histogram_[static_cast<unsigned>(steps_)];
        if (slowest_.size() <= set_)
            slowest_.resize(set_ + 1, 0);
        slowest_[set_] = std::max(slowest_[set_], steps_);
        ++set_;
        ++sets_;
        steps_ = 0;
    }

    // Metrics of all sets so far. Streams that do not fill a warp are excluded from divergence_factor only.
    bench::Metrics metrics(bool histogram) const;

private:
    static constexpr std::uint64_t max_counted = 64;

    std::uint64_t steps_ = 0;
    std::size_t set_ = 0;
    std::uint64_t sets_ = 0;
    double total_steps_ = 0;
    double total_squares_ = 0;
    double total_words_ = 0;
    double kept_ = 0;
    double included_ = 0;
    std::map<unsigned, std::uint64_t> histogram_;
    std::vector<std::uint64_t> slowest_;
    double slowest_sum_ = 0;
    std::uint64_t slowest_sets_ = 0;
};

}  // namespace lockstep::random_grids
