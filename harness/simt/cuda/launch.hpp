#pragma once
// Checked launches on CUDA, optionally cooperative, with dynamic shared memory for the kernel's struct.

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

// Type-erased implementations of launch() and attributes(). Both throw simt::Error.
void launch_untyped(char const* name, void const* kernel, LaunchShape const& shape, Stream stream, void** arguments);
KernelAttributes attributes_untyped(char const* name, void const* kernel, LaunchShape const& shape);

// Queues `kernel` on `stream` and returns. Throws simt::Error if the launch fails.
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

// Returns the registers, local and shared memory and occupancy of `kernel` at this shape, as the CUDA runtime reports
// them.
template <class... P>
KernelAttributes attributes(char const* name, void (*kernel)(P...), LaunchShape const& shape) {
    return attributes_untyped(name, reinterpret_cast<void const*>(kernel), shape);
}

// Waits for the stream. Throws simt::Error if a kernel on it failed.
void synchronize(Stream stream);

}  // namespace lockstep::simt::cuda
