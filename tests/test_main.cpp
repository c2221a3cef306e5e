// The main function of every test program. Unlike GoogleTest's own main, it returns 77 if all tests were skipped, so
// that CTest does not report such a program as passed. If the environment variable LOCKSTEP_REQUIRE_GPU is set, a
// skipped test is a failure. After LOCKSTEP_TEST_SECONDS, if set, the program ends before its next test and returns 75:
// tests/sanitizers runs the others in another process.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

namespace {

constexpr int exit_stopped = 75;
constexpr int exit_skipped = 77;

// Records the skip reason of the first skipped test.
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

class TimeLimit : public testing::EmptyTestEventListener {
public:
    explicit TimeLimit(double seconds) : seconds_(seconds) {}

private:
    void OnTestStart(testing::TestInfo const&) override {
        std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begun_;
        if (tests_++ == 0 || passed.count() < seconds_)
            return;
        std::cout << "\nstopped after " << passed.count() << " s" << std::endl;
        std::exit(testing::UnitTest::GetInstance()->Failed() ? EXIT_FAILURE : exit_stopped);
    }

    unsigned tests_ = 0;
    double seconds_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

#if defined(LOCKSTEP_ADDRESS_SANITIZER)
// Undefined behaviour traps (cmake/sanitizers.cmake); handle_sigill makes AddressSanitizer report the trap with its
// line.
extern "C" char const* __asan_default_options() {
    return "handle_sigill=1:strict_string_checks=1:check_initialization_order=1";
}
#elif defined(LOCKSTEP_THREAD_SANITIZER)
// -fsanitize=vptr writes to a pipe to check whether an address is readable; ThreadSanitizer reports a race if two
// threads do so.
extern "C" char const* __tsan_default_suppressions() { return "called_from_lib:libubsan.so\n"; }
// Each lane is a thread to ThreadSanitizer. A small history makes lanes cheaper to create, because the memory for the
// history is cleared on creation. Weak, because the test of race reports defines its own options.
extern "C" __attribute__((weak)) char const* __tsan_default_options() { return "history_size=0"; }
#endif

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest& unit_test = *testing::UnitTest::GetInstance();
    auto* const reason = new SkipReason;  // the listeners own it
    unit_test.listeners().Append(reason);
    if (char const* const seconds = std::getenv("LOCKSTEP_TEST_SECONDS"))
        unit_test.listeners().Append(new TimeLimit(std::atof(seconds)));

    int const failed = RUN_ALL_TESTS();

    int const ran = unit_test.test_to_run_count();
    int const skipped = unit_test.skipped_test_count();
    if (failed != 0) {
        return failed;
    }
    if (ran == 0) {
        std::cerr << "no test ran (the filter matches no test)\n";
        return EXIT_FAILURE;
    }
    if (skipped > 0 && std::getenv("LOCKSTEP_REQUIRE_GPU") != nullptr) {
        std::cerr << "failed: " << skipped << " of " << ran << " tests skipped: " << reason->text() << '\n';
        return EXIT_FAILURE;
    }
    // If a GPU program skips any test, report it as skipped even if its other tests passed.
    if (skipped == ran || (skipped > 0 && std::getenv("LOCKSTEP_GPU_TEST") != nullptr)) {
        std::cout << "skipped: " << reason->text() << '\n';
        return exit_skipped;
    }
    return EXIT_SUCCESS;
}
