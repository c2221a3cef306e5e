#include "harness/simt/cuda_api/math_functions.hpp"

#include <limits>
#include <numbers>

namespace lockstep::simt::cuda {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A first estimate of the normal quantile for 0 < p <= 1/2 (Abramowitz and Stegun, 26.2.23; absolute error below
// 4.5e-4).
double estimated_quantile(double p) {
    double const t = std::sqrt(-2 * std::log(p));
    double const above = 2.515517 + t * (0.802853 + t * 0.010328);
    double const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    return above / below - t;
}

}  // namespace

// Newton's method with Halley's correction on the distribution function; cubic convergence, so three steps suffice.
double normal_quantile(double p) {
    if (!(p >= 0 && p <= 1)) {
        return not_a_number;
    }
    if (p == 0 || p == 1) {
        return p == 0 ? -infinity : infinity;
    }
    bool const is_upper = p > 0.5;
    double const tail = is_upper ? 1 - p : p;
    double x = estimated_quantile(tail);
    for (int step = 0; step < 3; ++step) {
        double const error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - tail;
        double const density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
        if (density == 0) {
            break;
        }
        double const newton = error / density;
        x -= newton / (1 + x * newton / 2);
    }
    return is_upper ? -x : x;
}

// erfc(y) = 2 Phi(-sqrt(2) y).
double inverse_erfc(double x) { return -normal_quantile(x / 2) / std::numbers::sqrt2; }

// Close to zero, 1 - x would lose the digits of x: there the series x sqrt(pi)/2 (1 + pi x^2/12) is refined.
double inverse_erf(double x) {
    if (!(std::fabs(x) < 0.25)) {
        return x < 0 ? -inverse_erfc(1 + x) : inverse_erfc(1 - x);
    }
    double const slope = 1 / std::numbers::inv_sqrtpi / 2;
    double y = slope * x * (1 + std::numbers::pi * x * x / 12);
    for (int step = 0; step < 3; ++step) {
        double const newton = (std::erf(y) - x) * slope * std::exp(y * y);
        y -= newton / (1 + y * newton);
    }
    return y;
}

// exp(x^2) erfc(x): directly where neither factor overflows, else by the continued fraction of erfc.
double scaled_erfc(double x) {
    if (x < 10) {
        return std::exp(x * x) * std::erfc(x);
    }
    double fraction = x;
    for (int k = 40; k > 0; --k) {
        fraction = x + k / 2.0 / fraction;
    }
    return std::numbers::inv_sqrtpi / fraction;
}

double sine_of_pi(double x) {
    double const period = std::fmod(x, 2);  // exact
    double const folded = std::fabs(period) > 1.5   ? period - std::copysign(2.0, period)
                          : std::fabs(period) > 0.5 ? std::copysign(1.0, period) - period
                                                    : period;
    return folded == 0 ? std::copysign(0.0, x) : std::sin(std::numbers::pi * folded);
}

double cosine_of_pi(double x) {
    double const period = std::fabs(std::fmod(x, 2));
    double const folded = period > 1 ? 2 - period : period;
    if (folded == 0.5) {
        return 0;
    }
    return folded < 0.25   ? std::cos(std::numbers::pi * folded)
           : folded > 0.75 ? -std::cos(std::numbers::pi * (1 - folded))
                           : std::sin(std::numbers::pi * (0.5 - folded));
}

}  // namespace lockstep::simt::cuda
