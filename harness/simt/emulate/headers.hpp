#pragma once
// The headers that a translated program is compiled with, as text. Generated.

#include <span>

#include "harness/simt/embedded_text.hpp"

namespace lockstep::simt::emulate {

std::span<EmbeddedText const> foreign_headers();

}  // namespace lockstep::simt::emulate
