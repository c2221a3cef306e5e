// The sanitizers see what lanes of the emulator do wrong. For races there is a test of its own, beside. Not built
// without a sanitizer.

#include <gtest/gtest.h>

#include "tests/harness/simt/mistakes/mistakes.hpp"

namespace lockstep::mistakes {
namespace {

#if defined(LOCKSTEP_ADDRESS_SANITIZER)

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

#else

// Has no trap, so that it is ThreadSanitizer's build which looks for it.
TEST(Mistakes, TakingAnObjectForAnotherClass) {
    emulator::call_as_derived(true);
    EXPECT_DEATH(emulator::call_as_derived(false), "not point to an object of type");
}

#endif

}  // namespace
}  // namespace lockstep::mistakes
