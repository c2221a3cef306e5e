#pragma once
// The finished cases of a run, compared within each setting: cases with the same axes and the same state of the cache.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/bench/record.hpp"
#include "harness/bench/results_file.hpp"

namespace lockstep::cli {

// The fastest case of a setting. `next` is the second, null if it is alone; `baseline` may be either of them.
struct Ranked {
    bench::CaseRecord const* best = nullptr;
    bench::CaseRecord const* next = nullptr;
    bench::CaseRecord const* baseline = nullptr;  // of the machine of `best`
};

class Comparison {
public:
    // Chooses the baseline of each setting and machine: the variant with the role `baseline`, or else `paper`, that
    // runs in the most settings of the experiment. `copy_limit` is the bandwidth of `machine` in bytes per second; 0 if
    // it is not known.
    Comparison(std::vector<bench::PlannedCase> const& cases, double copy_limit, bench::Machine machine);

    // The name of the variant with which a case is compared; empty if there is none.
    std::string baseline(bench::CaseRecord const& record) const;

    // The baselines of an experiment, as "list on cpu".
    std::vector<std::string> baselines(std::string const& experiment) const;

    // Puts the baselines first in their settings, so that the cases that follow can be compared with them at once.
    void order(std::vector<bench::PlannedCase>& cases) const;

    // Returns the stored copy, without its timing document.
    bench::CaseRecord const& add(bench::CaseRecord const& record);

    std::deque<bench::CaseRecord> const& records() const { return records_; }

    // How many times as fast as the baseline of its setting and machine a case is; unset if either has no time.
    std::optional<double> speed(bench::CaseRecord const& record) const;

    // The share of the measured bandwidth of a copy that a case reaches: a lower bound, as the bytes that it declares
    // are.
    std::optional<double> share(bench::CaseRecord const& record) const;
    bool has_limit() const { return copy_limit_ > 0; }
    double copy_limit() const { return copy_limit_; }

    // One per setting in which a case has a time, in the order in which they ran.
    std::vector<Ranked> ranking() const;

private:
    bench::CaseRecord const* baseline_of(bench::CaseRecord const& record) const;

    std::map<std::string, std::string> baselines_;               // by setting and machine
    std::map<std::string, std::vector<std::string>> described_;  // by experiment
    double copy_limit_;
    std::string limited_machine_;
    std::deque<bench::CaseRecord> records_;  // whose elements stay where they are
    std::map<std::string, std::vector<bench::CaseRecord const*>> settings_;
    std::vector<std::string> in_order_;
};

// Returns true if the intervals of two medians overlap, so that neither is known to be faster.
bool is_close(bench::CaseRecord const& one, bench::CaseRecord const& other);

// "1.80x", "24.1x", "366x".
std::string times_text(double times);

}  // namespace lockstep::cli
