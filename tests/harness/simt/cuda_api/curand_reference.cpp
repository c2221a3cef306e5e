// NVIDIA's cuRAND, on the CPU.

#include "tests/harness/simt/cuda_api/curand_sequences.hpp"

#if defined(LOCKSTEP_HAS_CURAND)
#include <cuda_runtime.h>
#define QUALIFIERS static inline __host__ __device__
#include <curand.h>
#include <curand_kernel.h>
#include "tests/harness/simt/cuda_api/curand_draw.hpp"
#endif

namespace lockstep::cuda_api_test {

#if defined(LOCKSTEP_HAS_CURAND)

bool const has_curand_headers = true;
std::vector<double> curand_sequence(Engine engine, Numbers numbers, Stream stream, std::size_t count) {
    return sequence_of(engine, numbers, stream, count);
}

#else

bool const has_curand_headers = false;
std::vector<double> curand_sequence(Engine, Numbers, Stream, std::size_t) { return {}; }

#endif
#if defined(LOCKSTEP_HAS_CURAND_LIBRARY)

bool const has_curand_library = true;
std::vector<double> curand_generated(Engine engine, Numbers numbers, Stream stream, std::size_t count) {
    return generated_of(engine, numbers, stream, count);
}

#else

bool const has_curand_library = false;
std::vector<double> curand_generated(Engine, Numbers, Stream, std::size_t) { return {}; }

#endif

}  // namespace lockstep::cuda_api_test
