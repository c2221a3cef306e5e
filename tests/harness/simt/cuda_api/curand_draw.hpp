// No #pragma once: included by two source files, behind the declarations of cuRAND that each of them tests. The names
// of the library are those of NVIDIA's headers in one and of ours in the other.

#include "tests/harness/simt/cuda_api/curand_sequences.hpp"

namespace lockstep::cuda_api_test {
namespace {

template <class State>
void draw(Numbers numbers, State* state, std::vector<double>& out) {
    switch (numbers) {
        case Numbers::words:
            out.push_back(curand(state));
            return;
        case Numbers::uniform:
            out.push_back(static_cast<double>(curand_uniform(state)));
            return;
        case Numbers::uniform_double:
            out.push_back(curand_uniform_double(state));
            return;
        case Numbers::normal:
            out.push_back(static_cast<double>(curand_normal(state)));
            return;
        case Numbers::normal_double:
            out.push_back(curand_normal_double(state));
            return;
        case Numbers::log_normal:
            out.push_back(static_cast<double>(curand_log_normal(state, 0.5f, 0.25f)));
            return;
        default:
            break;
    }
    if constexpr (std::is_same_v<State, curandStatePhilox4_32_10_t>) {
        if (numbers == Numbers::four_uniform) {
            float4 const four = curand_uniform4(state);
            float4 const normal = curand_normal4(state);
            for (float const value : {four.x, four.y, four.z, four.w, normal.x, normal.y, normal.z, normal.w}) {
                out.push_back(static_cast<double>(value));
            }
        } else {
            double2 const two = curand_uniform2_double(state);
            double2 const normal = curand_normal2_double(state);
            for (double const value : {two.x, two.y, normal.x, normal.y}) {
                out.push_back(value);
            }
        }
    }
}

template <class State>
std::vector<double> sequence(Numbers numbers, Stream stream, std::size_t count) {
    State state;
    curand_init(stream.seed, stream.subsequence, stream.offset, &state);
    std::vector<double> out;
    while (out.size() < count) {
        draw(numbers, &state, out);
    }
    return out;
}

[[maybe_unused]] std::vector<double> sequence_of(Engine engine, Numbers numbers, Stream stream, std::size_t count) {
    switch (engine) {
        case Engine::xorwow:
            return sequence<curandStateXORWOW_t>(numbers, stream, count);
        case Engine::mrg:
            return sequence<curandStateMRG32k3a_t>(numbers, stream, count);
        default:
            return sequence<curandStatePhilox4_32_10_t>(numbers, stream, count);
    }
}

template <class T, class Generate>
std::vector<double> in_two_calls(std::size_t count, Generate generate) {
    std::vector<T> numbers(count);
    generate(numbers.data(), count / 2);
    generate(numbers.data() + count / 2, count - count / 2);
    return std::vector<double>(numbers.begin(), numbers.end());
}

[[maybe_unused]] std::vector<double> generated_of(Engine engine, Numbers numbers, Stream stream, std::size_t count) {
    curandGenerator_t generator = nullptr;
    curandRngType_t const types[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                     CURAND_RNG_PSEUDO_PHILOX4_32_10};
    curandCreateGeneratorHost(&generator, types[static_cast<int>(engine)]);
    curandSetPseudoRandomGeneratorSeed(generator, stream.seed);
    curandSetGeneratorOffset(generator, stream.offset);
    std::vector<double> out;
    switch (numbers) {
        case Numbers::words:
            out = in_two_calls<unsigned>(count, [&](unsigned* to, std::size_t n) { curandGenerate(generator, to, n); });
            break;
        case Numbers::uniform:
            out =
                in_two_calls<float>(count, [&](float* to, std::size_t n) { curandGenerateUniform(generator, to, n); });
            break;
        case Numbers::uniform_double:
            out = in_two_calls<double>(
                count, [&](double* to, std::size_t n) { curandGenerateUniformDouble(generator, to, n); });
            break;
        case Numbers::normal:
            out = in_two_calls<float>(
                count, [&](float* to, std::size_t n) { curandGenerateNormal(generator, to, n, 1.0f, 2.0f); });
            break;
        case Numbers::normal_double:
            out = in_two_calls<double>(
                count, [&](double* to, std::size_t n) { curandGenerateNormalDouble(generator, to, n, 1.0, 2.0); });
            break;
        default:
            out = in_two_calls<float>(
                count, [&](float* to, std::size_t n) { curandGenerateLogNormal(generator, to, n, 0.5f, 0.25f); });
    }
    curandDestroyGenerator(generator);
    return out;
}

}  // namespace
}  // namespace lockstep::cuda_api_test
