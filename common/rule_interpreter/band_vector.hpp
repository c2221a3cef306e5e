#pragma once
// The three bands of a grid on a CPU: a vector of four words, of which the fourth is 0 (bit_board.hpp). Host code only.

#include "common/rule_interpreter/bit_board.hpp"

namespace lockstep::rule_interpreter::cpu {

using BandVector = unsigned __attribute__((vector_size(16)));

struct VectorBands {
    static BandVector next(BandVector w) { return __builtin_shuffle(w, BandVector{1, 2, 0, 3}); }
    static BandVector previous(BandVector w) { return __builtin_shuffle(w, BandVector{2, 0, 1, 3}); }
    static bool any(BandVector w) { return (w[0] | w[1] | w[2]) != 0; }
};

}  // namespace lockstep::rule_interpreter::cpu
