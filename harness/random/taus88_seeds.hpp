#pragma once
// Constructs Taus88 from three component seeds and validates them. Host only, because it throws.

#include <stdexcept>
#include <string>

#include "harness/random/taus88.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// Equals boost::random::taus88 and thrust::random::taus88 with these component seeds; the libraries' taus88(seed) sets
// all three to `seed`. Throws std::invalid_argument if a component would yield only zeros.
inline Taus88 taus88_from_seeds(unsigned first, unsigned second, unsigned third) {
    if (Taus88::degenerate(first, second, third)) {
        throw std::invalid_argument("taus88 cannot be seeded with " + std::to_string(first) + ", " +
                                    std::to_string(second) + ", " + std::to_string(third) +
                                    " (a component would yield only zeros) use seeds of at least 2, 8 and 16");
    }
    return Taus88(first, second, third);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
