#pragma once
// Neighbouring entries of the static table in registers (mode faithful). A pedestrian reads the entry of its squared
// progress, which changes little in a tick, and soon goes to and fro over two or three entries: from then on it reads
// no memory.

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// The steps for the squares in [first, first + 4). No square is in a new window.
class StepWindow {
public:
    __device__ bool has(float square) const { return (square >= first_) & (square < first_ + 4.0f); }
    // Requires has(square) or a window that was just moved to it; of other squares, any step.
    __device__ double step(float square) const {
        double const low = square < first_ + 1.0f ? steps_[0] : steps_[1];
        double const high = square < first_ + 3.0f ? steps_[2] : steps_[3];
        return square < first_ + 2.0f ? low : high;
    }
    // Moves the window so that it has the entry of `square` and the one beside it from which the pedestrian came.
    template <class Streets>
    __device__ void move_to(Streets const& streets, float square) {
        unsigned const entry = static_cast<unsigned>(static_cast<int>(square));
        unsigned const back = square < first_ ? 1 : 2;
        unsigned const low = entry >= back ? entry - back : 0;
        // Larger floats have no fractions, so the limits of a window would be rounded. It has no square then, and this
        // step four times.
        bool const exact = square < 4194304.0f;
        first_ = exact ? static_cast<float>(low) : __uint_as_float(0x7f800000u);
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            steps_[i] = streets.table_step(exact ? low + i : entry);
        }
    }

private:
    float first_ = -8.0f;
    double steps_[4] = {};
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
