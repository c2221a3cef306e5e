// The pulls of gravity.hpp are as exact as stated.

#include "common/object_layout/gravity.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep::object_layout::tests {
namespace {

double relative_error(float square, float mass) {
    double const exact = static_cast<double>(mass) / (static_cast<double>(square) * std::sqrt(double(square)));
    return std::abs(static_cast<double>(cpu::pulling_mass(mass) * cpu::pull_of(square)) / exact - 1);
}

void add_pull(float x, float y, float z, float mass, float softening, Force& force) {
    cpu::add_force(x, y, z, cpu::pulling_mass(mass) * cpu::pull_over(x, y, z, softening), force);
}

TEST(Gravity, PullsWithinTheStatedError) {
    double worst = 0;
    for (int exponent = -30; exponent <= 30; ++exponent) {
        for (unsigned i = 0; i < 4096; ++i)
            worst = std::max(worst, relative_error(std::ldexp(1.0f + static_cast<float>(i) / 4096, exponent), 0.007f));
    }
    EXPECT_LT(worst, 2.5e-7 + 8 * 6e-8);  // of the polynomial, and eight roundings
    EXPECT_GT(worst, 1e-8);
}

// At distance 2 without softening, a body of mass 8 pulls with 8 / 2^2, in the direction of the distance.
TEST(Gravity, PullsTowardsTheOtherBody) {
    Force force = {0, 0, 0};
    add_pull(0, -2, 0, 8, 0, force);
    EXPECT_EQ(force.x, 0);
    EXPECT_NEAR(force.y, -2, 2e-6);
    EXPECT_EQ(force.z, 0);
}

TEST(Gravity, OfABodyAtTheSamePlaceIsZero) {
    Force force = {1, 2, 3};
    add_pull(0, 0, 0, 5, 0.05f, force);
    EXPECT_EQ(force.x, 1);
    EXPECT_EQ(force.y, 2);
    EXPECT_EQ(force.z, 3);
}

}  // namespace
}  // namespace lockstep::object_layout::tests
