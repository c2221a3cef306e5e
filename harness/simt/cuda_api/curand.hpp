#pragma once
// cuRAND's host interface, for generators on the device and on the host: XORWOW, MRG32k3a and Philox4x32-10, in the
// library's default order. Other generators are refused when they are created: CURAND_STATUS_TYPE_ERROR, and a line.

#include <cstddef>

#include "harness/simt/cuda_api/streams.hpp"

#define CURAND_H_  // a program asks by it whether this header is included

enum curandStatus_t {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999,
};
enum curandRngType_t {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204,
};
enum curandOrdering_t {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201,
};
using curandRngType = curandRngType_t;
using curandOrdering = curandOrdering_t;
using curandStatus = curandStatus_t;

namespace lockstep::simt::cuda {

class CurandGenerator;  // harness/random/curand_generator.cpp

curandStatus_t create_generator(CurandGenerator** generator, curandRngType_t type);
curandStatus_t destroy_generator(CurandGenerator* generator);
curandStatus_t set_seed(CurandGenerator* generator, unsigned long long seed);
curandStatus_t set_offset(CurandGenerator* generator, unsigned long long offset);
curandStatus_t set_ordering(CurandGenerator* generator, curandOrdering_t ordering);
curandStatus_t generate(CurandGenerator* generator, unsigned* out, std::size_t count);
curandStatus_t generate_uniform(CurandGenerator* generator, float* out, std::size_t count);
curandStatus_t generate_uniform(CurandGenerator* generator, double* out, std::size_t count);
curandStatus_t generate_normal(CurandGenerator* generator, float* out, std::size_t count, double mean, double deviation,
                               bool logarithmic);
curandStatus_t generate_normal(CurandGenerator* generator, double* out, std::size_t count, double mean,
                               double deviation, bool logarithmic);

}  // namespace lockstep::simt::cuda

using curandGenerator_t = lockstep::simt::cuda::CurandGenerator*;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return lockstep::simt::cuda::create_generator(generator, type);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return lockstep::simt::cuda::create_generator(generator, type);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    return lockstep::simt::cuda::destroy_generator(generator);
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return lockstep::simt::cuda::set_seed(generator, seed);
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return lockstep::simt::cuda::set_offset(generator, offset);
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
    return lockstep::simt::cuda::set_ordering(generator, ordering);
}
inline curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandGetVersion(int* version) { return *version = 10400, CURAND_STATUS_SUCCESS; }

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* out, std::size_t count) {
    return lockstep::simt::cuda::generate(generator, out, count);
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, std::size_t count) {
    return lockstep::simt::cuda::generate_uniform(generator, out, count);
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, std::size_t count) {
    return lockstep::simt::cuda::generate_uniform(generator, out, count);
}
#define LOCKSTEP_CURAND_NORMAL(name, T, logarithmic)                                                          \
    inline curandStatus_t name(curandGenerator_t generator, T* out, std::size_t count, T mean, T deviation) { \
        return lockstep::simt::cuda::generate_normal(generator, out, count, mean, deviation, logarithmic);    \
    }
LOCKSTEP_CURAND_NORMAL(curandGenerateNormal, float, false)
LOCKSTEP_CURAND_NORMAL(curandGenerateNormalDouble, double, false)
LOCKSTEP_CURAND_NORMAL(curandGenerateLogNormal, float, true)
LOCKSTEP_CURAND_NORMAL(curandGenerateLogNormalDouble, double, true)
#undef LOCKSTEP_CURAND_NORMAL
