#pragma once
// Launches in the emulator: blocks run on several CPU threads at once, each block's lanes by turns on one of them.

#include <tuple>
#include <utility>

#include "harness/simt/machine.hpp"

namespace lockstep::simt::emulator {

using simt::Dim3;
using simt::KernelAttributes;
using simt::LaunchShape;
using simt::Stream;

inline constexpr Machine machine = Machine::emulator;

// Runs `lane` once for each lane of the launch. Throws simt::Error for a shape that no GPU takes, or where a lane was
// refused.
void run_launch(char const* name, LaunchShape const& shape, void (*lane)(void*), void* argument);

// Runs `kernel` on every lane of `shape` and returns when all have ended. Each lane has its own copy of the arguments.
template <class... P, class... A>
void launch(char const* name, void (*kernel)(P...), LaunchShape const& shape, Stream, A const&... arguments) {
    struct Call {
        void (*kernel)(P...);
        std::tuple<P...> arguments;
    } call{kernel, std::tuple<P...>(static_cast<P>(arguments)...)};
    run_launch(
        name, shape,
        [](void* pointer) {
            Call const& made = *static_cast<Call const*>(pointer);
            std::apply(made.kernel, made.arguments);
        },
        &call);
}

// The emulator has no registers to count: the shape alone.
template <class... P>
KernelAttributes attributes(char const* name, void (*)(P...), LaunchShape const& shape) {
    KernelAttributes result;
    result.name = name;
    result.shared_bytes = shape.shared_bytes;
    result.max_threads_per_block = 1024;
    result.grid = shape.grid;
    result.block = shape.block;
    return result;
}

inline void synchronize(Stream) {}

}  // namespace lockstep::simt::emulator
