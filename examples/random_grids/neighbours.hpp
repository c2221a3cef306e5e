#pragma once
// A lattice gas of exactly k particles on 32 x 32 sites: counts pairs of neighbours in random configurations.

#include <vector>

namespace neighbours {

// Number of neighbouring pairs of each board: `streams` warps, or threads, draw `length` boards each, and no board is
// stored. The boards depend only on the seed.
namespace emulator {
std::vector<unsigned> pairs(unsigned long long seed, unsigned streams, unsigned length, unsigned particles);
std::vector<unsigned> pairs_of_threads(unsigned long long seed, unsigned streams, unsigned length, unsigned particles);
}  // namespace emulator
namespace cuda {
std::vector<unsigned> pairs(unsigned long long seed, unsigned streams, unsigned length, unsigned particles);
std::vector<unsigned> pairs_of_threads(unsigned long long seed, unsigned streams, unsigned length, unsigned particles);
}  // namespace cuda

}  // namespace neighbours
