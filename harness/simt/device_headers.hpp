#pragma once
// The device headers as text. Kernels that are compiled at run time include them by their usual names, so the program
// does not need the source tree. NVRTC needs only device_headers(). The host's compiler, which compiles for the
// emulator, also needs emulator_headers().

#include <span>

#include "harness/simt/embedded_text.hpp"

namespace lockstep::simt {

std::span<EmbeddedText const> device_headers();
std::span<EmbeddedText const> emulator_headers();

}  // namespace lockstep::simt
