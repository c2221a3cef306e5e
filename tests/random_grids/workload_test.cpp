// Valid axis values, and the messages for invalid values.

#include "common/random_grids/workload.hpp"

#include <gtest/gtest.h>

#include "common/random_grids/mixed_occupied.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::random_grids::tests {
namespace {

TEST(Workload, ShapesAreWidthTimesHeight) {
    Shape const shape = parse_shape("33x2");
    EXPECT_EQ(shape, (Shape{33, 2}));
    EXPECT_EQ(shape.sites(), 66u);
    EXPECT_EQ(shape.words_per_row(), 2u);
    EXPECT_EQ(shape.all_sites(), (std::vector<std::uint32_t>{0xFFFFFFFFu, 1u, 0xFFFFFFFFu, 1u}));
    EXPECT_EQ(parse_shape("32x1").last_mask(), 0xFFFFFFFFu);
    EXPECT_EQ(parse_shape("31x1").last_mask(), 0x7FFFFFFFu);
    EXPECT_EQ(parse_shape("128x128").words(), 512u);
}

TEST(Workload, InvalidShapesAreRejected) {
    for (char const* const text :
         {"", "x", "32", "0x4", "4x0", "4x", "-1x4", "4x4x4", "4 x4", "129x128", "99999999999x1", "65536x65536"}) {
        EXPECT_THROW(parse_shape(text), bench::Error) << text;
    }
}

TEST(Workload, ColoursBecomeNestedPlanes) {
    Shape const shape{15, 15};
    EXPECT_EQ(parse_occupied("71,70", shape), (std::vector<unsigned>{141, 70}));
    EXPECT_EQ(parse_occupied("1,2,3", shape), (std::vector<unsigned>{6, 5, 3}));
    EXPECT_EQ(parse_occupied("225", shape), (std::vector<unsigned>{225}));
    EXPECT_EQ(parse_occupied("half", shape), (std::vector<unsigned>{112}));
    EXPECT_TRUE(parse_occupied("mixed", shape).empty());
}

TEST(Workload, InvalidOccupiedIsRejected) {
    Shape const shape{15, 15};
    for (char const* const text :
         {"", "226", "200,26", "-1", "1.5", "1,,2", "many", "4294967295,4294967295", "1,1,1,1,1,1,1,1,1"}) {
        EXPECT_THROW(parse_occupied(text, shape), bench::Error) << text;
    }
}

TEST(Workload, MixedCoversAllNumbersEvenly) {
    std::vector<unsigned> counts(33, 0);
    unsigned const base = cpu::mixed_base(1, 2);
    for (unsigned board = 0; board < 33000; ++board)
        ++counts.at(cpu::mixed_occupied(base, board, 32));
    for (unsigned const count : counts)
        EXPECT_NEAR(count, 1000, 160);  // five sigma
    EXPECT_NE(cpu::mixed_base(1, 2), cpu::mixed_base(1, 3));
    EXPECT_NE(cpu::mixed_base(1, 2), cpu::mixed_base(2, 2));
    EXPECT_EQ(cpu::mixed_occupied(0xFFFFFFFFu, 0xFFFFFFFFu, 0), 0u);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
