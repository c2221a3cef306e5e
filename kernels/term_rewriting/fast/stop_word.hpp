#pragma once
// Ends a run of the engine `fast` from outside: on request of another thread, or after a number of seconds. The running
// kernel polls a word, so launches need not be short.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>

#include "harness/jit/device.hpp"

namespace lockstep::term_rewriting::fast {

// The word that the kernel polls.
class StopWord {
public:
    StopWord(jit::Device& device, unsigned* word) : device_(device), word_(word) {}

    // Ignores errors: the thread that waits for the kernel gets the error of a failed device.
    void tell(unsigned value) noexcept {
        try {
            device_.store_aside(word_, value);
        } catch (std::exception const&) {
        }
    }

private:
    jit::Device& device_;
    unsigned* word_;
};

// Sets the word when another thread requests a stop.
class StopOnRequest {
public:
    StopOnRequest(StopWord word, std::stop_token const& stop)
        : word_(word), stop_(stop), on_stop_(std::in_place, stop, [this] { word_.tell(1); }) {}
    ~StopOnRequest() {
        on_stop_.reset();
        if (stop_.stop_requested())
            word_.tell(0);
    }
    StopOnRequest(StopOnRequest const&) = delete;
    StopOnRequest& operator=(StopOnRequest const&) = delete;

private:
    StopWord word_;
    std::stop_token stop_;
    std::optional<std::stop_callback<std::function<void()>>> on_stop_;
};

// Sets the word when the seconds have passed. If the system allows no thread for that, or if the limit is longer than
// any run, the launch ends after its rounds.
class StopInTime {
public:
    StopInTime(StopWord word, double seconds) : word_(word) {
        constexpr double longest = 1e6;  // a longer wait could overflow a clock
        if (seconds >= longest)
            return;
        try {
            timer_ = std::jthread([this, seconds](std::stop_token const& ended) { wait(seconds, ended); });
        } catch (std::system_error const&) {  // no further thread is allowed
        }
    }
    ~StopInTime() {
        timer_ = {};
        if (has_passed_)
            word_.tell(0);
    }
    StopInTime(StopInTime const&) = delete;
    StopInTime& operator=(StopInTime const&) = delete;

private:
    void wait(double seconds, std::stop_token const& ended) {
        std::unique_lock lock(mutex_);
        run_ended_.wait_for(lock, ended, std::chrono::duration<double>(seconds), [] { return false; });
        if (ended.stop_requested())
            return;
        has_passed_ = true;
        word_.tell(1);
    }

    StopWord word_;
    std::mutex mutex_;
    std::condition_variable_any run_ended_;
    bool has_passed_ = false;
    std::jthread timer_;
};

}  // namespace lockstep::term_rewriting::fast
