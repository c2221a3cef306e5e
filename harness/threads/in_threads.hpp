#pragma once
// Splits work among threads that exist for it alone. Code that is timed uses the pool (pool.hpp).

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lockstep::threads {

// Calls work(0) to work(parts - 1) in at most `threads` threads, of which one is the caller's. The system may refuse
// threads (ulimit -u, memory): the others do their parts, so no part may wait for another. After an exception, parts
// that have not begun do not run; it is rethrown when all threads have ended.
template <class Work>
void in_threads(std::size_t const parts, std::size_t const threads, Work const& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    auto const take_parts = [&] {
        try {
            for (std::size_t part = next++; part < parts; part = next++)
                work(part);
        } catch (...) {
            std::lock_guard const lock(mutex);
            failure = failure ? failure : std::current_exception();
            next = parts;
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            others.reserve(threads);
            while (others.size() + 1 < std::min(parts, threads))
                others.emplace_back(take_parts);
        } catch (std::exception const&) {  // a refused thread
        }
        take_parts();
    }
    if (failure)
        std::rethrow_exception(failure);
}

}  // namespace lockstep::threads
