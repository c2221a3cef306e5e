#pragma once
// Launches in the emulator: blocks run in parallel on several CPU threads; the lanes of a block take turns on one
// thread.

#include <cstddef>
#include <tuple>
#include <utility>

#include "harness/simt/machine.hpp"

namespace lockstep::simt::emulator {

using simt::Dim3;
using simt::KernelAttributes;
using simt::LaunchShape;
using simt::Stream;

inline constexpr Machine machine = Machine::emulator;

// Runs `lane` once per lane of the launch. Throws simt::Error if the shape exceeds a GPU's limits or a lane performs an
// undefined operation. `argument_bytes` is the size of what `argument` points to, which holds the kernel's parameters:
// checks allow lanes to read it.
void run_launch(char const* name, LaunchShape const& shape, void (*lane)(void*), void* argument,
                std::size_t argument_bytes = 4096);

// Runs `kernel` on every lane of `shape` and returns when all lanes have exited. Each lane has its own copy of the
// arguments.
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
        &call, sizeof call);
}

// Returns only the shape: the emulator has no registers to count.
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
