#pragma once
// Chooses among ways to do the same passes while a run does them. A run of many passes is split into slices. Each
// candidate does two slices of real passes, the fastest is kept, and all are tried again when the share of enabled
// instances has moved clearly. Host code without a machine; the clock is a function, so that tests decide the times.
//
//   AdaptiveChoice choice(candidates, passes, clock);
//   while (choice.passes_left() != 0) {
//       AdaptiveChoice::Slice const slice = choice.begin();
//       ...  // slice.passes passes with slice.candidate
//       choice.end(share_enabled);
//   }

#include <cstddef>
#include <functional>
#include <vector>

namespace lockstep::rule_interpreter::rule_file {

using Clock = std::function<double()>;  // seconds

class AdaptiveChoice {
public:
    struct Slice {
        std::size_t candidate = 0;
        unsigned passes = 0;
    };

    // Candidate 0 is the planned one. Without a clock, or if is_worthwhile() is false, it does all passes in one slice.
    AdaptiveChoice(std::size_t candidates, unsigned passes, Clock clock);

    // True if there is a choice, and enough passes that trying costs little.
    static bool is_worthwhile(std::size_t candidates, unsigned passes);

    unsigned passes_left() const { return left_; }
    Slice begin();
    // `share_enabled` of the slice: 0 to 1.
    void end(double share_enabled);

    std::size_t kept() const { return kept_; }
    unsigned trials() const { return trials_; }  // that ended with a choice

private:
    enum class Phase { fixed, sizing, trying, keeping };

    void start_sizing();
    void start_trying();
    void end_trial_slice(double seconds_per_pass);
    void keep_fastest();
    bool can_try() const;

    std::size_t const candidates_;
    Clock const clock_;
    Phase phase_ = Phase::fixed;
    unsigned left_;
    Slice slice_;
    double start_ = 0;

    unsigned slice_passes_ = 1;          // of a slice that is long enough to be timed
    std::vector<std::size_t> schedule_;  // candidates to try, the last one first
    std::vector<double> costs_;          // per candidate: seconds per pass, the least that was seen
    std::size_t kept_ = 0;
    double share_ = 0;  // at the end of the last trial
    unsigned trials_ = 0;
};

}  // namespace lockstep::rule_interpreter::rule_file
