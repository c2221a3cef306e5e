// The main of every test program. CTest learns from the exit code what GoogleTest's own does not say: 77 where all
// tests were skipped, so that nothing is called passed which never ran. Where the environment variable
// LOCKSTEP_REQUIRE_GPU is set, one skipped test is a failure.

#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

namespace {

constexpr int exit_skipped = 77;

// Remembers why the first skipped test was skipped.
class SkipReason : public testing::EmptyTestEventListener {
public:
    std::string const& text() const { return text_; }

private:
    void OnTestPartResult(testing::TestPartResult const& result) override {
        if (result.skipped() && text_.empty()) {
            text_ = result.message();
        }
    }

    std::string text_;
};

}  // namespace

#if defined(LOCKSTEP_ADDRESS_SANITIZER)
// Undefined behaviour ends in a trap (cmake/sanitizers.cmake), whose report has its line.
extern "C" char const* __asan_default_options() {
    return "handle_sigill=1:strict_string_checks=1:check_initialization_order=1";
}
#elif defined(LOCKSTEP_THREAD_SANITIZER)
// -fsanitize=vptr tries whether it may read an address by a pipe; ThreadSanitizer takes two threads that do for a race.
extern "C" char const* __tsan_default_suppressions() { return "called_from_lib:libubsan.so\n"; }
// A lane, which is a thread there, remembers few accesses for reports: the memory for them is cleared when it is made.
// Weak: a test of reports has options of its own.
extern "C" __attribute__((weak)) char const* __tsan_default_options() { return "history_size=0"; }
#endif

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest& unit_test = *testing::UnitTest::GetInstance();
    auto* const reason = new SkipReason;  // the listeners own it
    unit_test.listeners().Append(reason);

    int const failed = RUN_ALL_TESTS();

    int const ran = unit_test.test_to_run_count();
    int const skipped = unit_test.skipped_test_count();
    if (failed != 0) {
        return failed;
    }
    if (ran == 0) {
        std::cerr << "no test ran (the filter matches none)\n";
        return EXIT_FAILURE;
    }
    if (skipped > 0 && std::getenv("LOCKSTEP_REQUIRE_GPU") != nullptr) {
        std::cerr << "failed: " << skipped << " of " << ran << " tests skipped: " << reason->text() << '\n';
        return EXIT_FAILURE;
    }
    // A program for the GPU whose other tests passed has still not done what it is for.
    if (skipped == ran || (skipped > 0 && std::getenv("LOCKSTEP_GPU_TEST") != nullptr)) {
        std::cout << "skipped: " << reason->text() << '\n';
        return exit_skipped;
    }
    return EXIT_SUCCESS;
}
