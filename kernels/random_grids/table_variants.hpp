#pragma once
// Variants whose blocks copy tables to shared memory. A block of compute capability 9.0 has room for them. Blocks of
// 8.0, with 163 KiB, and of 8.6 and 8.9, with 99 KiB, have not.

#include <cstddef>
#include <functional>
#include <string>

#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Returns the bytes of shared memory that a block of the machine may have: its max_shared_bytes(), or less in tests.
using SharedLimit = std::function<std::size_t()>;

namespace emulator {
bench::Variant make_unranked(SharedLimit limit);
bench::Variant make_tree(SharedLimit limit);
}  // namespace emulator

namespace cuda {
bench::Variant make_unranked(SharedLimit limit);
bench::Variant make_tree(SharedLimit limit);
}  // namespace cuda

// Returns an empty string if the tables fit into the shared memory of a block, else the reason.
inline std::string why_no_room(std::size_t bytes, SharedLimit const& limit) {
    std::size_t const room = limit();
    return bytes <= room ? std::string()
                         : "its tables take " + std::to_string(bytes) +
                               " bytes, but the shared memory of a block has room for " + std::to_string(room);
}

}  // namespace lockstep::random_grids
