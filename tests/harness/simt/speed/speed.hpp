#pragma once
// Kernels that show what the emulator adds to a lane's own work: the start of a lane, barriers, warp collectives and
// atomics.

namespace lockstep::speed::emulator {

// Each function launches `blocks` blocks of `block_size` lanes. A lane does the operation `rounds` times.
using LaunchRounds = void (*)(unsigned blocks, unsigned block_size, unsigned rounds);

void straight(unsigned blocks, unsigned block_size, unsigned rounds);   // a multiply-add on an element of its own
void barriers(unsigned blocks, unsigned block_size, unsigned rounds);   // __syncthreads
void shuffles(unsigned blocks, unsigned block_size, unsigned rounds);   // __shfl_xor_sync with the whole warp
void syncwarps(unsigned blocks, unsigned block_size, unsigned rounds);  // __syncwarp
void atomics(unsigned blocks, unsigned block_size, unsigned rounds);    // atomicAdd to one of 256 words
void reduction(unsigned blocks, unsigned block_size, unsigned rounds);  // the block's sum, in checked shared memory

}  // namespace lockstep::speed::emulator
