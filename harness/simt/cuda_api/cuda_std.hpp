#pragma once
// <cuda/std/...>: the C++ standard library in namespace cuda::std. Device code is host code here, so the names are
// those of the machine's library.

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <ratio>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "harness/simt/cuda_api/cuda_atomic.hpp"

// What cuda_atomic.hpp declares in cuda::std hides the library's names, as CUDA's atomics do.
namespace cuda::std {
using namespace ::std;  // NOLINT(google-build-using-namespace): all of it is meant
}
