#pragma once
// The device headers as text, for NVRTC: kernels that are made at run time include them by their usual names, with no
// include path and no file beside the program.

#include <span>

namespace lockstep::simt {

struct DeviceHeader {
    char const* name;  // as in #include "harness/simt/kernel.hpp"
    char const* text;
};

std::span<DeviceHeader const> device_headers();

}  // namespace lockstep::simt
