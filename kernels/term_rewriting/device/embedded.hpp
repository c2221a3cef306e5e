#pragma once
// The headers that run-time kernels of term rewriting include, as text.

#include <span>

#include "harness/simt/device_headers.hpp"

namespace lockstep::term_rewriting {

std::span<simt::DeviceHeader const> rewriter_headers();

}  // namespace lockstep::term_rewriting
