#pragma once
// Lets another thread stop a run of the engine `fast`. The running kernel polls a word, so launches need not be short.

#include <exception>
#include <functional>
#include <optional>
#include <stop_token>

#include "harness/jit/device.hpp"

namespace lockstep::term_rewriting::fast {

// Sets the word that the kernel polls when another thread requests a stop.
class StopWord {
public:
    StopWord(jit::Device& device, unsigned* word, std::stop_token const& stop)
        : device_(device), word_(word), stop_(stop), on_stop_(std::in_place, stop, [this] { tell(1); }) {}
    ~StopWord() {
        on_stop_.reset();
        if (stop_.stop_requested())
            tell(0);
    }
    StopWord(StopWord const&) = delete;
    StopWord& operator=(StopWord const&) = delete;

private:
    // Ignores errors: the thread that waits for the kernel gets the error of a failed device.
    void tell(unsigned value) noexcept {
        try {
            device_.store_aside(word_, value);
        } catch (std::exception const&) {
        }
    }

    jit::Device& device_;
    unsigned* word_;
    std::stop_token stop_;
    std::optional<std::stop_callback<std::function<void()>>> on_stop_;
};

}  // namespace lockstep::term_rewriting::fast
