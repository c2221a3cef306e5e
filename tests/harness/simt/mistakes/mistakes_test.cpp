// The sanitizers detect errors of the emulator's lanes. Built only with a sanitizer. The tests of races are in races/.

#include <gtest/gtest.h>

#include "tests/harness/simt/mistakes/mistakes.hpp"

namespace lockstep::mistakes {
namespace {

#if defined(LOCKSTEP_ADDRESS_SANITIZER)

TEST(Mistakes, ReadingPastABuffer) {
    emulator::read_next(true);
    EXPECT_DEATH(emulator::read_next(false), "heap-buffer-overflow.*read_next_kernel");
}

// Undefined behaviour traps, so AddressSanitizer reports an illegal instruction (ILL).
TEST(Mistakes, ShiftingByTheWidthOfAWord) {
    emulator::shift_by_lane(true);
    EXPECT_DEATH(emulator::shift_by_lane(false), "ILL.*shift_kernel");
}

TEST(Mistakes, ReadingAMisalignedWord) {
    emulator::read_word(true);
    EXPECT_DEATH(emulator::read_word(false), "ILL.*read_word_kernel");
}

#else

// -fsanitize=vptr cannot trap, so it is enabled only in ThreadSanitizer's build.
TEST(Mistakes, CallingThroughTheWrongClass) {
    emulator::call_as_derived(true);
    EXPECT_DEATH(emulator::call_as_derived(false), "not point to an object of type");
}

#endif

}  // namespace
}  // namespace lockstep::mistakes
