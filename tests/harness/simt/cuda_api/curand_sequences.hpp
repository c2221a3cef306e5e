#pragma once
// Sequences of NVIDIA's cuRAND, on the CPU: of its device functions, whose qualifiers a macro sets, and of its host
// generators. They are in a source file of their own, because its headers declare the names that ours declare.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::cuda_api_test {

enum class Engine { xorwow, mrg, philox };
enum class Numbers { words, uniform, uniform_double, normal, normal_double, log_normal, four_uniform, two_double };

struct Stream {
    std::uint64_t seed;
    std::uint64_t subsequence;
    std::uint64_t offset;
};

// True if the toolkit's headers were found when this test was configured; otherwise the sequences are empty.
extern bool const has_curand_headers;
std::vector<double> curand_sequence(Engine engine, Numbers numbers, Stream stream, std::size_t count);

// The same for the library, whose generators have no subsequence: two calls of count / 2 numbers.
extern bool const has_curand_library;
std::vector<double> curand_generated(Engine engine, Numbers numbers, Stream stream, std::size_t count);

}  // namespace lockstep::cuda_api_test
