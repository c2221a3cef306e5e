#pragma once
// Estimates of a measure from its replications: a mean with an interval, quantiles, differences between points, and
// whether they are precise enough.

#include <optional>
#include <string>
#include <vector>

#include "harness/stats/interval.hpp"

namespace lockstep::replications {

struct Quantile {
    double probability = 0;
    double value = 0;
    std::optional<stats::Interval> interval;  // of order statistics; none if there are too few replications
};

// The estimate of one measure at one point.
struct Estimate {
    double mean = 0;
    std::optional<double> deviation;          // none for a single sample
    std::optional<stats::Interval> interval;  // of the mean
    // The results look too skewed for so few replications, whichever interval they have. False is no assurance
    // (is_too_skewed() in harness/stats/skewed_interval.hpp).
    bool too_skewed = false;
    std::vector<Quantile> quantiles;
    // Half the width of the interval; none if there is no interval.
    std::optional<double> half_width() const;
    // The same divided by the mean; none if the mean is 0.
    std::optional<double> relative_precision() const;
};

// How the interval of a mean is computed.
enum class MeanInterval {
    skewed,  // for skewed results too (harness/stats/skewed_interval.hpp)
    student  // for normal results, and for as many that their mean is normal
};

struct Analysis {
    double confidence = 0.95;
    std::vector<double> quantiles;
    // Replications 2k and 2k + 1 are antithetic: their mean is one sample. Quantiles are of the replications, and get
    // no interval, because replications of a pair depend on each other.
    bool antithetic = false;
    double relative_precision = 0;  // half the width of the interval is at most this share of the mean; 0: any
    double absolute_precision = 0;  // half the width of the interval is at most this; 0: any
    MeanInterval mean_interval = MeanInterval::skewed;
};

// `values` of the replications in order. Throws bench::Error if there is none, if antithetic ones are an odd number, if
// one is not finite or so large that the estimate is not, and for a confidence or quantile outside of (0, 1).
Estimate estimate(std::vector<double> const& values, Analysis const& analysis = {});

// The mean of the differences between replications with the same number, `values` - `base`, which drew the same
// numbers. Their interval is narrower than that of the difference of independent means.
Estimate estimate_difference(std::vector<double> const& values, std::vector<double> const& base,
                             Analysis const& analysis);

// True if the estimate has the precision that the analysis wants. Results that are all equal have it, except that a
// mean of 0 has no relative precision.
bool is_precise(Estimate const& estimate, Analysis const& analysis);

}  // namespace lockstep::replications
