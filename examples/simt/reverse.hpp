#pragma once
// A kernel that reverses each block's part of an array in shared memory, with or without the barrier that it needs.

#include <vector>

namespace reverse {

// Returns the values with every 64 in reverse order. Their number must be a multiple of 64.
namespace emulator {
std::vector<float> reversed(std::vector<float> const& values, bool with_barrier);
}
namespace cuda {
std::vector<float> reversed(std::vector<float> const& values, bool with_barrier);
}

}  // namespace reverse
