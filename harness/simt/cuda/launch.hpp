#pragma once
// Launches on CUDA: checked, cooperative where asked, with as much dynamic shared memory as the kernel's struct needs.

#include <cstddef>
#include <tuple>
#include <utility>

#include "harness/simt/cuda/check.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::simt::cuda {

using simt::Dim3;
using simt::KernelAttributes;
using simt::LaunchShape;
using simt::Stream;

inline constexpr Machine machine = Machine::cuda;

// The untyped halves of launch() and attributes(). Throw simt::Error.
void launch_untyped(char const* name, void const* kernel, LaunchShape const& shape, Stream stream, void** arguments);
KernelAttributes attributes_untyped(char const* name, void const* kernel, LaunchShape const& shape);

// Queues `kernel` on `stream` and returns; throws simt::Error where CUDA refuses the launch.
template <class... P, class... A>
void launch(char const* name, void (*kernel)(P...), LaunchShape const& shape, Stream stream, A const&... arguments) {
    std::tuple<P...> values(static_cast<P>(arguments)...);
    std::apply(
        [&](auto&... value) {
            void* pointers[] = {const_cast<void*>(static_cast<void const*>(&value))..., nullptr};
            launch_untyped(name, reinterpret_cast<void const*>(kernel), shape, stream, pointers);
        },
        values);
}

// Registers, local and shared memory and occupancy of `kernel` at this shape, as the runtime gives them.
template <class... P>
KernelAttributes attributes(char const* name, void (*kernel)(P...), LaunchShape const& shape) {
    return attributes_untyped(name, reinterpret_cast<void const*>(kernel), shape);
}

// Waits for the stream, and throws what a kernel on it did wrong.
void synchronize(Stream stream);

}  // namespace lockstep::simt::cuda
