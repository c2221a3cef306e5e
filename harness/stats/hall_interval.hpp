#pragma once
// A two-sided confidence interval for the mean of a skewed distribution. Student's interval covers too rarely there: of
// 30 exponential variates, 93 in 100 intervals of level 0.95 hold the mean.

#include <optional>
#include <span>

#include "harness/stats/interval.hpp"

namespace lockstep::stats {

// Sum of cubed deviations in standard deviations, times n / ((n - 1) (n - 2)). Empty for fewer than three values and if
// all are equal. Throws as mean() does.
std::optional<double> skewness(std::span<double const> sample);

// Hall's interval ("On the removal of skewness by transformation", Journal of the Royal Statistical Society B 54(1),
// 1992), with Student's quantiles and the unbiased third moment (Willink, "A confidence interval and test for the mean
// of an asymmetric distribution", Communications in Statistics 34(4), 2005). It reaches further on the side of the long
// tail. Without skewness, and of fewer than five values, it is Student's. Arguments and errors are those of
// student_interval().
std::optional<Interval> hall_interval(std::span<double const> sample, double level = 0.95);

}  // namespace lockstep::stats
