#pragma once
// The words of cuRAND's generators and what moves them. harness/random has the generators and defines these functions
// (curand_states.cpp). They take and return values: the accesses to a state are those of the lane that draws.

namespace lockstep::simt::cuda {

struct XorwowWords {
    unsigned xorshift[5];
    unsigned weyl;
};
// The state of curand_init, and a state after more numbers or subsequences of 2^67 numbers.
XorwowWords xorwow_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset);
XorwowWords xorwow_skip(XorwowWords words, unsigned long long subsequences, unsigned long long numbers);
unsigned xorwow_next(XorwowWords& words);

struct MrgWords {
    unsigned first[3];
    unsigned second[3];
};
// Subsequences have 2^76 numbers. A number is from 1 to 4294967087.
MrgWords mrg_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset);
MrgWords mrg_skip(MrgWords words, unsigned long long subsequences, unsigned long long numbers);
unsigned mrg_next(MrgWords& words);

// The four words of Philox4x32-10 for a block of a subsequence.
struct PhiloxWords {
    unsigned word[4];
};
PhiloxWords philox_words(unsigned long long seed, unsigned long long subsequence, unsigned long long block);

}  // namespace lockstep::simt::cuda
