// The ticks that skip_ticks.hpp computes at once are those of one rounded addition per tick, the table of
// crossing_ticks.hpp has their numbers, and Remainder is the remainder.

#include "common/object_layout/skip_ticks.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "common/object_layout/crossing_ticks.hpp"
#include "common/object_layout/remainder.hpp"

namespace lockstep::object_layout::tests {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr unsigned repeats = 20;
#else
constexpr unsigned repeats = 400;
#endif

unsigned bits(float value) { return std::bit_cast<unsigned>(value); }

// Both ways, to the end of the street and with limits around it.
void expect_same(float progress, float step, float length, unsigned most = 40000) {
    Leg const slow = cpu::add_ticks(progress, step, length, most);
    for (unsigned const limit : {most, slow.ticks, slow.ticks - 1, slow.ticks / 2, 1u, 2u, 3u, 0u}) {
        if (limit > most)
            continue;
        Leg const added = cpu::add_ticks(progress, step, length, limit);
        for (Leg const& found :
             {cpu::skip_ticks(progress, step, length, limit), cpu::advance_ticks(progress, step, length, limit)}) {
            ASSERT_EQ(added.ticks, found.ticks) << progress << ' ' << step << ' ' << length << ' ' << limit;
            ASSERT_EQ(bits(added.progress), bits(found.progress)) << progress << ' ' << step << ' ' << length;
        }
    }
}

TEST(SkipTicks, OfRandomStreets) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> lengths(1, 400);
    std::uniform_int_distribution<unsigned> velocities(1, 100);
    for (unsigned i = 0; i < 10 * repeats; ++i) {
        float const length = lengths(engine);
        float const step = static_cast<float>(velocities(engine)) * (1.0f / 60.0f);
        expect_same(0, step, length);
        expect_same(std::uniform_real_distribution<float>(0, length)(engine), step, length);
    }
}

// Steps whose quotient by the binade's unit is an integer, an integer plus 1/2, and beside them, for even and odd
// progress, in every binade that a street of at most 1e6 can have.
TEST(SkipTicks, OfTiesInEveryBinade) {
    std::mt19937 engine(4);
    for (int exponent = -30; exponent <= 19; ++exponent) {
        float const unit = std::ldexp(1.0f, exponent - 23);
        for (unsigned i = 0; i < repeats / 4; ++i) {
            float const start = std::ldexp(1.0f, exponent) + static_cast<float>(engine() % 9) * unit;
            float const halves = static_cast<float>(engine() % (1u << 20) + 1);
            float const step = halves * (unit / 2);
            expect_same(start, step, 1e6f, 300);
            expect_same(start, std::nextafter(step, 0.0f), 1e6f, 300);
            expect_same(start, std::nextafter(step, 1e9f), 1e6f, 300);
            expect_same(start, step, start + 100 * step, 300);
            expect_same(start, step, std::nextafter(2 * start, 0.0f), 300);
        }
    }
}

// Steps that rounding loses, as in the largest streets.
TEST(SkipTicks, OfStepsThatDoNotMove) {
    expect_same(1e6f, 1e-3f, 2e6f, 1000);
    expect_same(65536.0f, std::ldexp(1.0f, -8), 1e6f, 1000);
    expect_same(std::nextafter(65536.0f, 1e6f), std::ldexp(1.0f, -8), 1e6f, 1000);
    expect_same(0.0f, 1e-40f, 1e-38f, 1000);
}

// One division replaces most ticks: of a street of 2^24 ulps the loop takes a turn per binade.
TEST(SkipTicks, CountTicksByHand) {
    Leg const leg = cpu::skip_ticks(0.0f, 0.25f, 100.0f, 1u << 30);
    EXPECT_EQ(leg.ticks, 400u);
    EXPECT_EQ(leg.progress, 100.0f);
    EXPECT_EQ(cpu::skip_ticks(0.0f, 0.25f, 100.0f, 399).progress, 99.75f);
    // From 2^24 on, 1 is half a unit: 2^24 + 1 is a tie and rounds back to 2^24.
    EXPECT_EQ(cpu::skip_ticks(0.0f, 1.0f, 1e9f, 1u << 30).progress, 16777216.0f);
}

Traffic traffic_with(std::vector<float> lengths, Mode mode, unsigned types = 4) {
    auto network = std::make_shared<Network>(random_network(5, static_cast<unsigned>(lengths.size())));
    network->length = std::move(lengths);
    Traffic traffic;
    traffic.mode = mode;
    traffic.types = types;
    traffic.weather = 0.75f;
    traffic.network = network;
    return traffic;
}

TEST(CrossingTicks, AreTheTicksOfEveryVelocity) {
    for (Mode const mode : {Mode::live, Mode::faithful}) {
        Traffic const traffic = traffic_with({1, 25, 7.5f, 100, 130, 5000, 1e6f}, mode);
        std::vector<unsigned char> const table = crossing_ticks(traffic);
        ASSERT_EQ(table.size(), 2 * 7 * car_velocities);
        for (unsigned entry = 0; entry < table.size(); ++entry) {
            unsigned const street = entry / car_velocities % 7;
            float const own = static_cast<float>(min_car_velocity + entry % car_velocities) *
                              (1.0f - static_cast<float>(entry / car_velocities / 7) / 32.0f);
            float const speed = std::min(own, traffic.network->max_velocity[street]) * traffic.weather;
            float progress = 0;
            unsigned ticks = 0;
            while (progress < traffic.network->length[street] && ticks < 300) {
                progress = mode == Mode::live
                               ? progress + speed * (1.0f / 60.0f)
                               : static_cast<float>(static_cast<double>(progress) + static_cast<double>(speed) / 60.0);
                ++ticks;
            }
            EXPECT_EQ(table[entry], ticks > 255 ? 0 : ticks) << entry;
        }
    }
}

TEST(CrossingTicks, HaveAColumnForWholeVelocitiesOnly) {
    EXPECT_EQ(velocity_column(65), 0u);
    EXPECT_EQ(velocity_column(84), 19u);
    for (float const other : {64.0f, 85.0f, 70.5f, -1.0f, 1e30f, std::nanf("")})
        EXPECT_EQ(velocity_column(other), car_velocities) << other;
}

TEST(Remainder, EqualsTheDivision) {
    std::mt19937 engine(6);
    auto const check = [&](unsigned size) {
        Remainder const remainder = Remainder::by(size);
        for (unsigned const x : {0u, 1u, size - 1, size, size + 1, 2 * size - 1, 0x7fffffffu, 0x7ffffffeu,
                                 0x7fffffffu / size * size, 0x7fffffffu / size * size - 1})
            ASSERT_EQ(remainder.of(x & 0x7fffffffu), (x & 0x7fffffffu) % size) << x << " by " << size;
        for (unsigned i = 0; i < repeats / 4; ++i) {
            unsigned const x = engine() & 0x7fffffffu;
            ASSERT_EQ(remainder.of(x), x % size) << x << " by " << size;
        }
    };
    for (unsigned size = 2; size < 1100; ++size)
        check(size);
    for (unsigned shift = 10; shift < 31; ++shift) {
        for (unsigned const size : {(1u << shift) - 1, 1u << shift, (1u << shift) + 1})
            check(size);
    }
}

}  // namespace
}  // namespace lockstep::object_layout::tests
