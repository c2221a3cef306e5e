// The pool of threads: each part runs once, threads stay where they are pinned, exceptions reach the caller, and a pool
// in use does not block.

#include "harness/threads/pool.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace lockstep::threads {
namespace {

using Clock = std::chrono::steady_clock;

// Waits until the value is reached. Returns false after ten seconds.
bool reaches(std::atomic<std::size_t> const& counter, std::size_t value) {
    Clock::time_point const end = Clock::now() + std::chrono::seconds(10);
    while (counter.load() < value) {
        if (Clock::now() > end)
            return false;
        std::this_thread::yield();
    }
    return true;
}

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(ThreadsPool, EachPartRunsOnce) {
    for (std::size_t const threads : {0u, 1u, 2u, 5u}) {
        Pool pool(threads);
        ASSERT_EQ(pool.threads(), threads);
        for (std::size_t const parts : {0u, 1u, 2u, 3u, 31u, 32u, 33u, 1000u}) {
            std::vector<std::atomic<int>> calls(parts);
            pool.run(parts, [&](std::size_t part) { ++calls.at(part); });
            for (std::atomic<int> const& count : calls)
                EXPECT_EQ(count, 1) << parts << " parts, " << threads << " threads";
        }
    }
}

TEST(ThreadsPool, ManyRegionsFollowEachOther) {
    Pool pool(3);
    std::uint64_t sum = 0;  // not atomic: the end of a region orders the accesses
    std::vector<std::uint64_t> values(4);
    for (std::uint64_t region = 0; region < 20000; ++region) {
        pool.run(values.size(), [&](std::size_t part) { values[part] = region + part; });
        for (std::uint64_t const value : values)
            sum += value;
    }
    EXPECT_EQ(sum, 4 * (20000ull * 19999 / 2) + 20000 * 6);
}

TEST(ThreadsPool, AsManyPartsAsThreadsRunAtTheSameTime) {
    Pool pool(4);
    std::atomic<std::size_t> arrived = 0;
    std::atomic<bool> all = true;
    pool.start(4, [&](std::size_t) {
        ++arrived;
        if (!reaches(arrived, 4))
            all = false;
    });
    pool.wait();
    EXPECT_TRUE(all);
    pool.wait();  // nothing was started
    // The caller is the fifth.
    arrived = 0;
    Pool free(4, Pool::Placement::free);
    free.run(5, [&](std::size_t) {
        ++arrived;
        if (!reaches(arrived, 5))
            all = false;
    });
    EXPECT_TRUE(all);
}

// The threads of a free pool call one another.
TEST(ThreadsPool, StartCallsAsManyThreadsAsParts) {
    for (Pool::Placement const placement : {Pool::Placement::pinned, Pool::Placement::free}) {
        Pool pool(7, placement);
        for (std::size_t const parts : {7u, 1u, 2u, 4u, 7u, 3u, 6u}) {
            std::atomic<std::size_t> arrived = 0;
            std::atomic<bool> all = true;
            pool.start(parts, [&](std::size_t) {
                ++arrived;
                if (!reaches(arrived, parts))
                    all = false;
            });
            pool.wait();
            EXPECT_TRUE(all) << parts;
        }
    }
}

TEST(ThreadsPool, StartDoesNotWait) {
    Pool pool(1, Pool::Placement::free);
    std::atomic<std::size_t> released = 0;
    std::atomic<bool> seen = false;
    auto const caller = std::this_thread::get_id();
    std::thread::id worker;
    pool.start(1, [&](std::size_t) {
        worker = std::this_thread::get_id();
        seen = reaches(released, 1);
    });
    EXPECT_THROW(pool.start(1, [](std::size_t) {}), std::logic_error) << "the pool is in use";
    released = 1;
    pool.wait();
    EXPECT_TRUE(seen);
    EXPECT_NE(worker, caller);
    pool.start(1, [&](std::size_t) { released = 2; });
    pool.wait();
    EXPECT_EQ(released, 2u);
    EXPECT_THROW(Pool(0).start(1, [](std::size_t) {}), std::system_error);
}

TEST(ThreadsPool, TheDestructorWaitsForTheRegion) {
    std::atomic<std::size_t> ended = 0;
    {
        Pool pool(2);
        pool.start(2, [&](std::size_t) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            ++ended;
        });
    }
    EXPECT_EQ(ended, 2u);
}

TEST(ThreadsPool, TheFirstExceptionReachesTheCaller) {
    Pool pool(3);
    for (int again = 0; again < 50; ++again) {
        std::atomic<std::size_t> ended = 0;
        auto const work = [&](std::size_t part) {
            ++ended;
            if (part == 4)
                throw std::runtime_error("planted");
        };
        EXPECT_THROW(pool.run(10, work), std::runtime_error);
        EXPECT_EQ(ended, 10u);
        pool.start(10, work);
        EXPECT_THROW(pool.wait(), std::runtime_error);
        EXPECT_EQ(ended, 20u);
        EXPECT_NO_THROW(pool.run(10, [&](std::size_t) { ++ended; }));
        EXPECT_EQ(ended, 30u);
    }
}

TEST(ThreadsPool, ARegionInsideARegionRunsOnItsThread) {
    Pool pool(3);
    std::atomic<std::size_t> calls = 0;
    std::atomic<bool> moved = false;
    pool.run(3, [&](std::size_t) {
        std::thread::id const outer = std::this_thread::get_id();
        pool.run(5, [&](std::size_t) {
            moved = moved || std::this_thread::get_id() != outer;
            ++calls;
        });
    });
    EXPECT_EQ(calls, 15u);
    EXPECT_FALSE(moved);
    EXPECT_THROW(pool.run(2,
                          [&](std::size_t) {
                              pool.run(3, [&](std::size_t inner) {
                                  ++calls;
                                  if (inner == 0)
                                      throw std::runtime_error("planted");
                              });
                          }),
                 std::runtime_error);
    EXPECT_EQ(calls, 21u) << "an exception does not prevent the other parts";
}

TEST(ThreadsPool, SeveralCallersShareIt) {
    Pool pool(2);
    std::atomic<std::size_t> calls = 0;
    auto const caller = [&] {
        for (int region = 0; region < 1000; ++region)
            pool.run(3, [&](std::size_t) { ++calls; });
    };
    std::thread other(caller);
    caller();
    other.join();
    EXPECT_EQ(calls, 6000u);
}

// Every thread reports the CPU on which it runs, several times.
std::vector<std::set<int>> cpus_of(Pool& pool, std::size_t threads) {
    std::vector<std::set<int>> cpus(threads);
    for (int again = 0; again < 20; ++again) {
        std::atomic<std::size_t> arrived = 0;
        std::mutex mutex;
        std::vector<int> seen;
        pool.start(threads, [&](std::size_t) {
            ++arrived;
            reaches(arrived, threads);
            std::unique_lock const lock(mutex);
            seen.push_back(::sched_getcpu());
        });
        pool.wait();
        std::sort(seen.begin(), seen.end());
        for (std::size_t i = 0; i < threads; ++i)
            cpus[i].insert(seen[i]);
    }
    return cpus;
}

TEST(ThreadsPool, ThreadsArePinnedToOneCpuEach) {
    std::vector<int> const allowed = allowed_cpus();
    if (allowed.size() < 2)
        GTEST_SKIP() << "one CPU";
    Pool pool(allowed.size());
    std::vector<std::set<int>> const cpus = cpus_of(pool, allowed.size());
    for (std::size_t i = 0; i < allowed.size(); ++i)
        EXPECT_EQ(cpus[i], std::set<int>{allowed[i]});
    // The mask of a thread that is created by a pinned one is that CPU, but the pool's CPUs are those of the process.
    std::size_t found = 0;
    pool.start(1, [&](std::size_t) { found = allowed_cpus().size(); });
    pool.wait();
    EXPECT_EQ(found, allowed.size());
}

TEST(ThreadsPool, AnIdlePoolTakesNoTime) {
    Pool pool(4);
    pool.run(4, [](std::size_t) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the threads stop spinning
    double const before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_LT(processor_seconds() - before, 0.02);
    pool.rouse();
    std::atomic<std::size_t> calls = 0;
    pool.run(4, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls, 4u);
}

TEST(ThreadsPool, AFlagEndsAWait) {
    Pool pool(1, Pool::Placement::free);
    std::atomic<bool> flag = false, may_end = false;
    pool.start(1, [&](std::size_t) {
        while (!may_end)
            std::this_thread::yield();
    });
    EXPECT_FALSE(pool.ends_soon(std::chrono::microseconds(100), &flag));
    flag = true;
    EXPECT_TRUE(pool.ends_soon(std::chrono::seconds(5), &flag));
    EXPECT_FALSE(pool.ends_soon(std::chrono::microseconds(100))) << "the region goes on";
    may_end = true;
    pool.wait();
    EXPECT_TRUE(pool.ends_soon());
}

TEST(ThreadsPool, ThreadsUseTheGivenStacks) {
    constexpr std::size_t bytes = std::size_t{4} << 20;
    std::vector<std::unique_ptr<std::byte[]>> memory;
    std::vector<Stack> stacks;
    for (int i = 0; i < 2; ++i) {
        memory.push_back(std::make_unique<std::byte[]>(bytes));
        stacks.push_back({memory.back().get(), bytes});
    }
    Pool pool(2, Pool::Placement::pinned, stacks);
    std::atomic<std::size_t> arrived = 0;
    std::vector<bool> inside(2);
    std::mutex mutex;
    pool.start(2, [&](std::size_t) {
        ++arrived;
        reaches(arrived, 2);
        auto const* const here = static_cast<std::byte const*>(__builtin_frame_address(0));
        std::unique_lock const lock(mutex);
        for (std::size_t i = 0; i < 2; ++i)
            inside[i] = inside[i] || (here >= memory[i].get() && here < memory[i].get() + bytes);
    });
    pool.wait();
    EXPECT_TRUE(inside[0] && inside[1]);
}

TEST(ThreadsPool, TheSharedPoolHasAThreadPerCpu) {
    EXPECT_EQ(shared_pool().threads(), allowed_cpu_count());
    EXPECT_EQ(&shared_pool(), &shared_pool());
}

}  // namespace
}  // namespace lockstep::threads
