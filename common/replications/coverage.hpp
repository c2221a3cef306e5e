#pragma once
// Do intervals cover at their stated level? Cuts many replications into samples, and counts the samples whose interval
// contains the true value.

#include <cstdint>
#include <optional>
#include <vector>

#include "common/replications/estimates.hpp"

namespace lockstep::replications {

struct Coverage {
    std::uint64_t samples = 0;  // with an interval
    std::uint64_t covering = 0;
    double share() const { return samples == 0 ? 0 : static_cast<double>(covering) / static_cast<double>(samples); }
};

// Of the intervals of means, each from `count` consecutive values (an even number if they are antithetic).
Coverage coverage_of_mean(std::vector<double> const& values, std::size_t count, double truth,
                          Analysis const& analysis = {});

// Of the intervals of one quantile. Samples that are too small for an interval do not count.
Coverage coverage_of_quantile(std::vector<double> const& values, std::size_t count, double probability, double truth,
                              double confidence);

}  // namespace lockstep::replications
