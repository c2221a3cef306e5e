// The digest on the CPU, and unit_digest for the host, which computes the same function.

#include "harness/bench/digest.hpp"

#include <cstdint>
#include <span>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

namespace cpu {

unsigned long long stored_digest(DigestParameters const& parameters, unsigned const* const stored) {
    unsigned long long sum = 0;
    for (unsigned long long unit = 0; unit < parameters.layout.units; ++unit) {
        sum += stored_unit_digest(parameters, stored, unit);
    }
    return sum;
}

}  // namespace cpu

std::uint64_t unit_digest(std::uint64_t unit, std::span<std::uint32_t const> result) {
    unsigned long long hash = cpu::digest_begin(unit);
    for (std::uint32_t const word : result)
        hash = cpu::digest_next(hash, word);
    return cpu::digest_finish(hash, result.size());
}

}  // namespace lockstep::bench
