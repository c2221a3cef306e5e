#include "harness/threads/in_threads.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace lockstep::threads {
namespace {

TEST(in_threads, computes_every_part_once) {
    for (std::size_t const parts : {0u, 1u, 7u, 1000u}) {
        std::vector<std::atomic<int>> calls(parts);
        in_threads(parts, 5, [&](std::size_t const part) { ++calls[part]; });
        for (std::atomic<int> const& count : calls)
            EXPECT_EQ(count, 1);
    }
}

TEST(in_threads, rethrows_when_all_threads_have_ended) {
    std::atomic<int> running = 0;
    auto const work = [&](std::size_t const part) {
        ++running;
        if (part == 3) {
            --running;
            throw std::runtime_error("three");
        }
        --running;
    };
    EXPECT_THROW(in_threads(100, 4, work), std::runtime_error);
    EXPECT_EQ(running, 0);
}

// In a process of its own, whose user has no right to more threads.
TEST(in_threads, needs_no_thread_besides_the_caller) {
    pid_t const child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        if (::geteuid() == 0 && ::setuid(65534) != 0)
            ::_exit(77);
        rlimit const none = {0, 0};
        if (::setrlimit(RLIMIT_NPROC, &none) != 0)
            ::_exit(77);
        std::vector<int> found(64, 0);
        in_threads(found.size(), 8, [&](std::size_t const part) { found[part] = 1; });
        ::_exit(std::accumulate(found.begin(), found.end(), 0) == 64 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        GTEST_SKIP() << "this process cannot have fewer rights";
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace lockstep::threads
