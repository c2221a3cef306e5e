#pragma once
// How another thread ends a run of the engine `fast`: a kernel under way is told, not cut into short launches.

#include <exception>
#include <functional>
#include <optional>
#include <stop_token>

#include "harness/jit/device.hpp"

namespace lockstep::term_rewriting::fast {

// A word that the kernel looks at, set once another thread asks the run to stop.
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
    // A device that fails says so to the one who waits for the kernel.
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
