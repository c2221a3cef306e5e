// Replications as a user writes them with cuRAND's device API and its Philox4x32-10:
//
//   curand pi REPLICATIONS DRAWS     a block or several per replication, counts added by atomics
//   curand mm1 REPLICATIONS CLIENTS  a thread per replication, in single precision
//
// Each thread has a subsequence of its own. The output is an entry per replication, as in our variants.

#include <curand.h>
#include <curand_kernel.h>
#include <algorithm>
#include <cmath>

#include "baselines/peers/device_samples.hpp"

namespace {

using namespace lockstep::peers;

constexpr unsigned block = 256;
constexpr float utilisation = 0.75f;  // the default of our axis

__global__ void __launch_bounds__(block)
    count_inside(unsigned long long seed, unsigned draws, unsigned long long* const inside) {
    unsigned const replication = blockIdx.y;
    unsigned const thread = blockIdx.x * block + threadIdx.x;
    unsigned const threads = gridDim.x * block;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, static_cast<unsigned long long>(replication) * threads + thread, 0, &state);
    // Threads before `draws % threads` make one draw more than the others.
    unsigned const mine = draws / threads + (thread < draws % threads ? 1 : 0);
    unsigned sum = 0;
    unsigned draw = 0;
    for (; draw + 1 < mine; draw += 2) {
        float4 const u = curand_uniform4(&state);
        sum += u.x * u.x + u.y * u.y < 1.0f ? 1 : 0;
        sum += u.z * u.z + u.w * u.w < 1.0f ? 1 : 0;
    }
    if (draw < mine) {
        float const x = curand_uniform(&state);
        float const y = curand_uniform(&state);
        sum += x * x + y * y < 1.0f ? 1 : 0;
    }
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&inside[replication], static_cast<unsigned long long>(sum));
}

struct Queue {
    float idle, in_queue, in_system;
};

__global__ void serve(unsigned long long seed, unsigned replications, unsigned clients, Queue* const queues) {
    unsigned const replication = blockIdx.x * blockDim.x + threadIdx.x;
    if (replication >= replications)
        return;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, replication, 0, &state);
    Queue sums = {0, 0, 0};
    float left = 0;
    auto const client = [&](float u, float v) {
        float wait = left + logf(u) * (1.0f / utilisation);
        if (wait < 0) {
            sums.idle -= wait;
            wait = 0;
        }
        left = wait - logf(v);
        sums.in_queue += wait;
        sums.in_system += left;
    };
    for (unsigned i = 0; i < clients; i += 2) {
        float4 const u = curand_uniform4(&state);
        client(u.x, u.y);
        if (i + 1 < clients)
            client(u.z, u.w);
    }
    queues[replication] = sums;
}

void measure_pi(unsigned replications, unsigned draws) {
    // Enough blocks for any GPU, with at least 64 draws per thread.
    unsigned const blocks = std::clamp(4096u / replications, 1u, std::max(1u, draws / (64 * block)));
    Buffer<unsigned long long> inside(replications);
    unsigned long long seed = 0;
    EventTimer const timer;
    auto const run = [&] {
        check(cudaMemsetAsync(inside.data(), 0, inside.bytes()), "cudaMemsetAsync");
        // A grid has at most 65535 rows of blocks.
        for (unsigned first = 0; first < replications; first += 65535) {
            dim3 const grid(blocks, std::min(65535u, replications - first));
            count_inside<<<grid, block>>>(++seed, draws, inside.data() + first);
        }
    };
    print_samples([&] { return timer(run); }, 10);
    double const share = std::acos(-1.0) / 4;
    double const bound = 7 * std::sqrt(draws * share * (1 - share));
    double sum = 0;
    for (unsigned long long const number : inside.to_vector()) {
        require(std::abs(static_cast<double>(number) - draws * share) < bound, "a replication is far from pi");
        sum += static_cast<double>(number);
    }
    require(std::abs(sum - draws * share * replications) < bound * std::sqrt(replications), "the mean is far from pi");
    std::printf("check each replication and the mean are within 7 standard deviations of pi\n");
}

void measure_mm1(unsigned replications, unsigned clients) {
    Buffer<Queue> queues(replications);
    unsigned long long seed = 0;
    EventTimer const timer;
    auto const run = [&] { serve<<<(replications + 127) / 128, 128>>>(++seed, replications, clients, queues.data()); };
    print_samples([&] { return timer(run); }, 10);
    double system = 0;
    double waiting = 0;
    double idle = 0;
    for (Queue const& queue : queues.to_vector()) {
        system += queue.in_system;
        waiting += queue.in_queue;
        idle += queue.idle;
    }
    double const all = static_cast<double>(replications) * clients;
    // In equilibrium, a client spends 1 / (1 - utilisation) in the system, of which 1 in service. The queue starts
    // empty, which lowers the mean.
    std::string const means = std::to_string(system / all) + " in the system, " + std::to_string(waiting / all) +
                              " in the queue, " + std::to_string(idle / all) + " idle";
    require(std::abs(system / all - 4) < 0.1 && std::abs((system - waiting) / all - 1) < 0.01 &&
                std::abs(idle / all - (1 / 0.75 - 1)) < 0.01,
            "the means are not those of the queue: " + means);
    std::printf("check means of time in the system, in service and idle, against theory\n");
}

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 4, "usage: curand pi|mm1 REPLICATIONS ITEMS");
        print_version("cuRAND", CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH);
        unsigned const replications = static_cast<unsigned>(std::stoul(arguments[2]));
        unsigned const items = static_cast<unsigned>(std::stoul(arguments[3]));
        std::string(arguments[1]) == "pi" ? measure_pi(replications, items) : measure_mm1(replications, items);
    });
}
