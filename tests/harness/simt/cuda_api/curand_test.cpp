// cuRAND's interface: the numbers are those of NVIDIA's headers and library, where a toolkit is; some are known
// without.

#include "harness/simt/cuda_api/cuda_runtime.hpp"
//
#include "harness/simt/cuda_api/curand.hpp"
#include "harness/simt/cuda_api/curand_kernel.hpp"
#include "tests/harness/simt/cuda_api/curand_draw.hpp"
#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {
namespace {

constexpr Engine engines[] = {Engine::xorwow, Engine::mrg, Engine::philox};
constexpr Numbers of_every_engine[] = {Numbers::words,  Numbers::uniform,       Numbers::uniform_double,
                                       Numbers::normal, Numbers::normal_double, Numbers::log_normal};

// Normal numbers are compared within the accuracy of a logarithm and a sine; all others are equal.
void expect_same(std::vector<double> const& ours, std::vector<double> const& theirs, Numbers numbers) {
    ASSERT_EQ(ours.size(), theirs.size());
    bool const is_exact =
        numbers == Numbers::words || numbers == Numbers::uniform || numbers == Numbers::uniform_double;
    bool const is_double = numbers == Numbers::normal_double || numbers == Numbers::two_double;
    double const tolerance = is_exact ? 0 : is_double ? 1e-13 : 2e-6;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        ASSERT_NEAR(ours[i], theirs[i], tolerance * std::max(1.0, std::abs(theirs[i]))) << "number " << i;
    }
}

TEST(Curand, FirstNumbersAreKnown) {
    auto const first = [](Engine engine, std::uint64_t subsequence) {
        return static_cast<float>(sequence_of(engine, Numbers::uniform, {1234, subsequence, 0}, 1)[0]);
    };
    EXPECT_EQ(first(Engine::xorwow, 0), 0.145467639f);
    EXPECT_EQ(first(Engine::xorwow, 1), 0.820180893f);
    EXPECT_EQ(first(Engine::mrg, 0), 0.786751866f);
    EXPECT_EQ(first(Engine::mrg, 1), 0.152112365f);
    EXPECT_EQ(first(Engine::philox, 0), 0.12720795f);
    EXPECT_NE(first(Engine::philox, 1), 0.12720795f);
}

TEST(Curand, DeviceFunctionsGiveTheLibrarysNumbers) {
    if (!has_curand_headers) {
        GTEST_SKIP() << "cuRAND's headers were not found when this test was configured";
    }
    for (Engine const engine : engines) {
        for (Stream const stream : {Stream{0, 0, 0}, Stream{1234, 1, 0}, Stream{~0ull, 33, 1000003},
                                    Stream{0x123456789abcdef, 0x7fffffff, 2}, Stream{42, ~0ull >> 20, 31}}) {
            for (Numbers const numbers : of_every_engine) {
                SCOPED_TRACE(::testing::Message() << "engine " << static_cast<int>(engine) << ", numbers "
                                                  << static_cast<int>(numbers) << ", seed " << stream.seed);
                expect_same(sequence_of(engine, numbers, stream, 100), curand_sequence(engine, numbers, stream, 100),
                            numbers);
            }
        }
    }
    for (Numbers const numbers : {Numbers::four_uniform, Numbers::two_double}) {
        expect_same(sequence_of(Engine::philox, numbers, {7, 3, 5}, 80),
                    curand_sequence(Engine::philox, numbers, {7, 3, 5}, 80), numbers);
    }
    EXPECT_NE(sequence_of(Engine::mrg, Numbers::words, {1, 0, 0}, 8),
              curand_sequence(Engine::mrg, Numbers::words, {2, 0, 0}, 8))
        << "the comparison must detect a different seed";
}

TEST(Curand, GeneratorsGiveTheLibrarysNumbersInItsOrder) {
    if (!has_curand_library) {
        GTEST_SKIP() << "the library cuRAND was not found when this test was configured";
    }
    for (Engine const engine : engines) {
        for (Numbers const numbers : of_every_engine) {
            // The library takes a second to make a generator of MRG32k3a.
            bool const is_slow = engine == Engine::mrg;
            if (is_slow && (numbers == Numbers::uniform || numbers == Numbers::log_normal)) {
                continue;
            }
            for (std::size_t const count : {2u, 64u, 10000u, 300000u}) {
                if ((count == 300000 && numbers != Numbers::words) || (is_slow && count != 64 && count != 300000)) {
                    continue;
                }
                SCOPED_TRACE(::testing::Message() << "engine " << static_cast<int>(engine) << ", numbers "
                                                  << static_cast<int>(numbers) << ", count " << count);
                Stream const stream{count * 77, 0, count == 64 ? 4u : 0u};
                expect_same(generated_of(engine, numbers, stream, count),
                            curand_generated(engine, numbers, stream, count), numbers);
            }
        }
    }
}

TEST(Curand, SkippingIsDrawing) {
    for (std::uint64_t const count : {0ull, 1ull, 31ull, 32ull, 33ull, 1000ull}) {
        curandStatePhilox4_32_10_t philox;
        curandStateMRG32k3a_t mrg;
        curandState xorwow;
        curand_init(5, 6, 7, &philox);
        curand_init(5, 6, 7, &mrg);
        curand_init(5, 6, 7, &xorwow);
        auto drawn_philox = philox;
        auto drawn_mrg = mrg;
        auto drawn_xorwow = xorwow;
        for (std::uint64_t i = 0; i < count; ++i) {
            curand(&drawn_philox);
            curand(&drawn_mrg);
            curand(&drawn_xorwow);
        }
        skipahead(count, &philox);
        skipahead(count, &mrg);
        skipahead(count, &xorwow);
        EXPECT_EQ(curand(&philox), curand(&drawn_philox));
        EXPECT_EQ(curand(&mrg), curand(&drawn_mrg));
        EXPECT_EQ(curand(&xorwow), curand(&drawn_xorwow));
    }
    curandState jumped;
    curandState there;
    curand_init(5, 6, 7, &jumped);
    skipahead_sequence(27, &jumped);
    curand_init(5, 33, 7, &there);
    EXPECT_EQ(curand(&jumped), curand(&there));
}

TEST(Curand, LanesHaveTheirSubsequences) {
    auto const numbers = on_lanes<float>(2, 33, 66, [](float* out) {
        unsigned const id = blockIdx.x * blockDim.x + threadIdx.x;
        curandState state;
        curand_init(1234, id, 0, &state);
        out[id] = curand_uniform(&state);
    });
    for (std::size_t id = 0; id < numbers.size(); ++id) {
        EXPECT_EQ(numbers[id], static_cast<float>(sequence_of(Engine::xorwow, Numbers::uniform, {1234, id, 0}, 1)[0]));
    }
}

TEST(Curand, MistakesHaveACode) {
    curandGenerator_t generator = nullptr;
    float numbers[3];
    EXPECT_EQ(curandGenerateUniform(generator, numbers, 3), CURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32), CURAND_STATUS_TYPE_ERROR);
    ASSERT_EQ(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(curandGenerateNormal(generator, numbers, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_SEEDED), CURAND_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(curandGenerateUniform(generator, numbers, 0), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);
}

}  // namespace
}  // namespace lockstep::cuda_api_test
