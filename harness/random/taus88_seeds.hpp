#pragma once
// Taus88 from three component seeds, checked. Host only: it throws.

#include <stdexcept>
#include <string>

#include "harness/random/taus88.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// Equal to boost::random::taus88 and thrust::random::taus88 whose components hold these seeds; the three are the same
// for a library's taus88(seed). Throws std::invalid_argument where a component would yield 0 for ever.
inline Taus88 taus88_from_seeds(unsigned first, unsigned second, unsigned third) {
    if (Taus88::degenerate(first, second, third)) {
        throw std::invalid_argument("taus88 cannot be seeded with " + std::to_string(first) + ", " +
                                    std::to_string(second) + ", " + std::to_string(third) +
                                    " (a component would yield 0 for ever) use seeds of at least 2, 8 and 16");
    }
    return Taus88(first, second, third);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
