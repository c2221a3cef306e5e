#pragma once
// The device headers as text: kernels that are generated at run time include them by their usual names, so the program
// needs no header files at run time. NVRTC needs only device_headers(); the host compiler, which compiles for the
// emulator, also needs emulator_headers().

#include <span>

namespace lockstep::simt {

struct DeviceHeader {
    char const* name;  // as in #include "harness/simt/kernel.hpp"
    char const* text;
};

std::span<DeviceHeader const> device_headers();
std::span<DeviceHeader const> emulator_headers();

}  // namespace lockstep::simt
