// AddressSanitizer and UndefinedBehaviorSanitizer see what lanes of the emulator do, and their reports name the kernel.
// Built in the asan preset alone.

#include <gtest/gtest.h>

#include "tests/harness/simt/mistakes/mistakes.hpp"

namespace lockstep::mistakes {
namespace {

TEST(Mistakes, ReadingPastABuffer) {
    emulator::read_next(true);
    EXPECT_DEATH(emulator::read_next(false), "heap-buffer-overflow.*read_next_kernel");
}

// A trap, whose report has no other word for it.
TEST(Mistakes, ShiftingByTheWidthOfAWord) {
    emulator::shift_by_lane(true);
    EXPECT_DEATH(emulator::shift_by_lane(false), "ILL.*shift_kernel");
}

TEST(Mistakes, ReadingAWordWhereNoneCanBe) {
    emulator::read_word(true);
    EXPECT_DEATH(emulator::read_word(false), "ILL.*read_word_kernel");
}

}  // namespace
}  // namespace lockstep::mistakes
