// Sets in memory of the machine (DeviceDraw), and copied to the host, are those of the CPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/random_grids/draw.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/devices.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {
namespace {

constexpr bool on_gpu = simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda;

std::vector<std::uint32_t> on_cpu(Draw what, std::uint64_t first, std::size_t count) {
    what.machine = "cpu";
    std::vector<std::uint32_t> sets(count * words_per_set(what));
    draw(what, first, sets);
    return sets;
}

Draw here(Draw what) {
    what.machine = simt::to_string(simt::LOCKSTEP_MACHINE::machine);
    return what;
}

class DeviceDraws : public testing::Test {
protected:
    void SetUp() override {
        if (on_gpu && simt::cuda_devices().devices.empty())
            GTEST_SKIP() << "no GPU: " << simt::cuda_devices().reason;
    }
};

// Parts of streams, of groups of 32 streams, and of tiles of 32 words.
TEST_F(DeviceDraws, AreTheSetsOfTheCpu) {
    constexpr std::size_t all_sets = on_gpu ? 20000 : 1100;
    for (Draw const& what : {Draw{50, "20"}, Draw{100, "mixed", 9}, Draw{225, "71,70", 2, "xorwow"}, Draw{1024, "300"},
                             Draw{1024, "512", 3, "xorwow"}, Draw{4096, "1"}}) {
        std::vector<std::uint32_t> const all = on_cpu(what, 0, all_sets);
        DeviceDraw device(here(what));
        std::size_t const words = words_per_set(what);
        for (auto const& [first, count] : {std::pair<std::size_t, std::size_t>{0, all_sets},
                                           {61, 8},
                                           {15, 1},
                                           {16, 16},
                                           {496, 40},
                                           {500, 600},
                                           {99, 1},
                                           {3, 0},
                                           {17, all_sets - 17}}) {
            simt::LOCKSTEP_MACHINE::Buffer<std::uint32_t> sets(count * words + 1);
            sets.fill_bytes(0xA5);
            device.draw(first, {sets.data(), count * words});
            device.wait_for();
            std::vector<std::uint32_t> const drawn = sets.to_vector();
            auto const expected = all.begin() + static_cast<std::ptrdiff_t>(first * words);
            EXPECT_TRUE(std::equal(drawn.begin(), drawn.end() - 1, expected)) << what.sites << " from " << first;
            EXPECT_EQ(drawn.back(), 0xA5A5A5A5u);
        }
    }
}

// Large enough on a GPU for several parts, which are copied while others are drawn.
TEST_F(DeviceDraws, ToTheHostAreTheSetsOfTheCpu) {
    std::size_t const count = on_gpu ? 600000 : 200;
    Draw const what{1024, "1"};
    std::vector<std::uint32_t> sets(count * words_per_set(what));
    draw(here(what), 5, sets);
    EXPECT_TRUE(sets == on_cpu(what, 5, count));
}

TEST_F(DeviceDraws, OfWrongValuesAreRefused) {
    EXPECT_THROW(DeviceDraw({32, "1", 1, "philox10", "cpu"}), bench::Error);
    EXPECT_THROW(DeviceDraw(here({32, "33"})), bench::Error);
    DeviceDraw device(here({64, "1"}));
    std::vector<std::uint32_t> words(3);
    EXPECT_THROW(device.draw(0, words), bench::Error);
    EXPECT_THROW(device.draw(std::uint64_t{1} << 48, std::span(words).first(2)), bench::Error);
}

}  // namespace
}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
