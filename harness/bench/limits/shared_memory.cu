// Limit of random 2-byte look-ups in a 128 KB table in shared memory, as in a table-based sampler. The table takes more
// than half of an SM's shared memory, so one block of 1024 threads is resident per SM. A warp's look-up takes as many
// clocks as its busiest bank has words. For 32 random addresses in 32 banks that is 3.53 on average, so 9.1 lanes per
// SM and clock are expected.

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/thread_word_probe.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::limits::LOCKSTEP_MACHINE {

inline constexpr unsigned table_entries = 65536;
inline constexpr unsigned lookup_chains = 8;

struct LookupTable {
    SharedArray<unsigned short, table_entries> entry;
};

__host__ __device__ inline unsigned short entry_value(unsigned index, unsigned seed) {
    return static_cast<unsigned short>((index * 0x9E3779B1u + seed) >> 16);
}

// A linear congruential step (Knuth's MMIX-like 32-bit constants); its upper half is the address.
__host__ __device__ inline unsigned next_address(unsigned state) { return state * 1664525u + 1013904223u; }

__global__ void __launch_bounds__(1024) lookup_kernel(LoopParameters const parameters) {
    auto& table = shared_memory<LookupTable>();
    for (unsigned i = threadIdx.x; i < table_entries; i += blockDim.x) {
        table.entry[i] = entry_value(i, parameters.seed);
    }
    __syncthreads();
    unsigned const thread = thread_number();
    unsigned state = mix(thread + parameters.seed);
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned n = 0; n < parameters.iterations; ++n) {
#pragma unroll
        for (unsigned i = 0; i < lookup_chains; ++i) {
            state = next_address(state);
            unsigned short const entry = table.entry[state >> 16];
            sum += entry;
        }
    }
    parameters.words[thread] = sum;
}

unsigned lookup_expected(unsigned thread, LoopParameters parameters) {
    unsigned state = mix(thread + parameters.seed);
    unsigned sum = 0;
    for (unsigned n = 0; n < parameters.iterations * lookup_chains; ++n) {
        state = next_address(state);
        sum += entry_value(state >> 16, parameters.seed);
    }
    return sum;
}

std::vector<Limit> shared_memory_limits(Scale const&) {
    Limit limit{"shared_lookup.128KB",
                "look-ups",
                "random 2-byte look-ups in a 128 KB shared-memory table, 1024 threads per SM",
                machine,
                Quantity::rate,
                true,
                {}};
    limit.make = [](Scale const& scale) -> std::unique_ptr<Probe> {
        Loop loop{"shared_lookup", lookup_kernel, lookup_expected, double{lookup_chains}, {}};
        loop.shape.grid.x = scale.multiprocessors;
        loop.shape.block.x = 1024;
        loop.shape.shared_bytes = sizeof(LookupTable);
        return std::make_unique<ThreadWordProbe>(loop, scale.repetitions(8000));
    };
    return {limit};
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
