#pragma once
// Launches of kernels whose counters can be computed by hand.

namespace lockstep::hook_tests::emulator {

void count_strided(unsigned stride);
void count_columns(unsigned width);
void count_doubles(unsigned stride);
void count_loops();
void count_branches(unsigned period);
void count_long_branches();
void count_calls();
void count_atomics(unsigned addresses);
void count_partial();

// gpu_model_kernels.cu
void count_never();
void count_conditions(unsigned first, unsigned second);
void count_neighbours(unsigned stride, unsigned first);
void count_predicated();
void count_divisions();

}  // namespace lockstep::hook_tests::emulator
