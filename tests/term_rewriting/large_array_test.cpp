// Arrays on huge pages: sizes near a huge page, and growth that keeps the contents.

#include "common/term_rewriting/language/large_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace lockstep::term_rewriting {
namespace {

constexpr std::size_t page_words = huge_page / sizeof(std::uint32_t);

TEST(LargeArray, GrowsAcrossHugePages) {
    for (std::size_t const size :
         {std::size_t{0}, std::size_t{1}, page_words - 1, page_words, page_words + 1, 5 * page_words}) {
        LargeVector<std::uint32_t> grown;
        for (std::size_t i = 0; i < size; ++i)
            grown.push_back(static_cast<std::uint32_t>(i * 2654435761u));
        LargeVector<std::uint32_t> const copy = grown;
        ASSERT_EQ(copy.size(), size);
        for (std::size_t i = 0; i < size; ++i)
            ASSERT_EQ(copy[i], static_cast<std::uint32_t>(i * 2654435761u)) << i << " of " << size;
        if (size > page_words) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % huge_page, 0u);
        }
    }
}

TEST(LargeArray, FillsWithAGivenValue) {
    LargeVector<unsigned char> const marks(3 * huge_page + 1, 7);
    for (std::size_t i = 0; i < marks.size(); i += 4093)
        ASSERT_EQ(marks[i], 7);
    EXPECT_EQ(marks.back(), 7);
    EXPECT_THROW(HugePages<std::uint64_t>().allocate(~std::size_t{0} / 4), std::bad_array_new_length);
}

}  // namespace
}  // namespace lockstep::term_rewriting
