#pragma once
// The device headers as text. Kernels that are compiled at run time include them by their usual names, so the program
// needs no file beside it. NVRTC takes device_headers() as they are. The host's compiler, which compiles for the
// emulator, needs emulator_headers() too.

#include <span>

#include "harness/simt/embedded_text.hpp"

namespace lockstep::simt {

std::span<EmbeddedText const> device_headers();
std::span<EmbeddedText const> emulator_headers();

}  // namespace lockstep::simt
