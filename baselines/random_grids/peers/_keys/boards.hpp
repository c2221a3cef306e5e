#pragma once
// Boards by random keys, as a user writes them around a library's selection: draw a key per site, select the sites of
// the k smallest keys, set their bits. The output is that of our variants: one bit per site. For nvcc only.

#include <curand_kernel.h>
#include <cmath>
#include <utility>

#include "baselines/peers/device_samples.hpp"

namespace lockstep::peers {

// One float in (0, 1] per site from cuRAND's Philox, four per thread and step.
__global__ void draw_keys(unsigned long long seed, std::size_t quads, float4* const keys) {
    std::size_t const thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::size_t const threads = std::size_t{gridDim.x} * blockDim.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, thread, 0, &state);
    for (std::size_t i = thread; i < quads; i += threads)
        keys[i] = curand_uniform4(&state);
}

// A warp sets the bits of the k selected sites of a board. Blocks have `block` threads.
constexpr unsigned block = 128;
template <unsigned sites>
__global__ void set_bits(int const* const selected, unsigned k, unsigned boards, unsigned* const bits) {
    constexpr unsigned words = sites / 32;
    __shared__ unsigned shared[block / 32][words];
    unsigned const lane = threadIdx.x % 32;
    unsigned const board = (blockIdx.x * block + threadIdx.x) / 32;
    unsigned* const mine = shared[threadIdx.x / 32];
    if (board >= boards)
        return;
    for (unsigned word = lane; word < words; word += 32)
        mine[word] = 0;
    __syncwarp();
    for (unsigned i = lane; i < k; i += 32) {
        unsigned const site = static_cast<unsigned>(selected[std::size_t{board} * k + i]) % sites;
        atomicOr(&mine[site / 32], 1u << site % 32);
    }
    __syncwarp();
    for (unsigned word = lane; word < words; word += 32)
        bits[std::size_t{board} * words + word] = mine[word];
}

// Counts the boards that do not have k sites, and the boards in which each site is occupied.
template <unsigned sites>
__global__ void count_bits(unsigned const* const bits, unsigned k, unsigned boards, unsigned* const wrong,
                           unsigned* const occupied) {
    constexpr unsigned words = sites / 32;
    unsigned const board = blockIdx.x * blockDim.x + threadIdx.x;
    if (board >= boards)
        return;
    unsigned sum = 0;
    for (unsigned word = 0; word < words; ++word) {
        unsigned const row = bits[std::size_t{board} * words + word];
        sum += static_cast<unsigned>(__popc(row));
        for (unsigned left = row; left != 0; left &= left - 1)
            atomicAdd(&occupied[word * 32 + static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1], 1u);
    }
    if (sum != k)
        atomicAdd(wrong, 1u);
}

// Memory of a set of boards, and the steps around the selection.
template <unsigned sites, unsigned k>
class Boards {
public:
    explicit Boards(unsigned boards)
        : boards(boards),
          keys(std::size_t{boards} * sites),
          selected_keys(std::size_t{boards} * k),
          selected(std::size_t{boards} * k),
          bits_(std::size_t{boards} * (sites / 32)) {}

    void draw() { draw_keys<<<132 * 16, 256>>>(++seed_, keys.size() / 4, reinterpret_cast<float4*>(keys.data())); }
    void store() {
        set_bits<sites><<<(boards + block / 32 - 1) / (block / 32), block>>>(selected.data(), k, boards, bits_.data());
    }

    // Throws if a board does not have k sites, or if a site is occupied too often or too rarely: by more than seven
    // standard deviations of its number of boards, which is binomial.
    void verify() {
        Buffer<unsigned> wrong(1), occupied(sites);
        wrong.clear();
        occupied.clear();
        count_bits<sites><<<(boards + 255) / 256, 256>>>(bits_.data(), k, boards, wrong.data(), occupied.data());
        check(cudaDeviceSynchronize(), "check of the boards");
        unsigned const count = wrong.to_vector()[0];
        require(count == 0, std::to_string(count) + " of " + std::to_string(boards) + " boards do not have " +
                                std::to_string(k) + " sites");
        double const share = static_cast<double>(k) / sites;
        double const bound = 7 * std::sqrt(boards * share * (1 - share));
        for (unsigned const number : occupied.to_vector())
            require(std::abs(number - boards * share) < bound, "the sites are not equally often occupied");
    }

    unsigned const boards;
    Buffer<float> keys;
    Buffer<float> selected_keys;
    Buffer<int> selected;

private:
    unsigned long long seed_ = 0;
    Buffer<unsigned> bits_;
};

// Draws boards with `select(Boards&)` between the keys and the bits, prints the samples, and checks the last boards.
template <class Space, class Select>
void measure_boards(Space& space, Select const& select) {
    EventTimer const timer;
    print_samples([&] { return timer([&] { space.draw(), select(space), space.store(); }); }, 10);
    space.verify();
    std::printf("check every set has its number of sites, each site is occupied equally often\n");
}

// Calls body<sites, k>() for the two cases that are compiled: 32 x 32 and 32 x 1, half occupied.
template <class Body>
void with_case(std::string const& sites, Body const& body) {
    if (sites == "1024")
        return body.template operator()<1024, 512>();
    require(sites == "32", "the program is compiled for 1024 and 32 sites");
    body.template operator()<32, 16>();
}

}  // namespace lockstep::peers
