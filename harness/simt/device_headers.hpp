#pragma once
// The device headers as text: kernels that are made at run time include them by their usual names, with no file beside
// the program. NVRTC takes them as they are; the host's compiler, for the emulator, needs the emulator's too.

#include <span>

namespace lockstep::simt {

struct DeviceHeader {
    char const* name;  // as in #include "harness/simt/kernel.hpp"
    char const* text;
};

std::span<DeviceHeader const> device_headers();
std::span<DeviceHeader const> emulator_headers();

}  // namespace lockstep::simt
