// Limits of the L2 cache: 16-byte loads and stores over a working set that fits well in it, repeated. The L1 caches
// serve none of the loads: the load bypasses L1, and in each repetition a multiprocessor reads what another one read
// before.

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/sequential_values.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/resident_threads.hpp"

namespace lockstep::limits {

// The working set consists of rows; a row has one value per thread of the grid.
struct CachedParameters {
    unsigned rows = 0;
    unsigned repetitions = 0;
    unsigned seed = 0;
};

}  // namespace lockstep::limits

namespace lockstep::limits::LOCKSTEP_MACHINE {

inline constexpr unsigned cached_block = 1024;
inline constexpr unsigned cached_blocks_per_multiprocessor = 2;  // one after the other if it holds 1536 threads

__device__ inline uint4 load_past_l1(uint4 const* address) {
#if defined(__CUDACC__)
    return __ldcg(address);
#else
    return *address;
#endif
}

// The index of the value that a thread accesses in a row. In repetition r, block b reads the values of block b + r.
__host__ __device__ inline unsigned cached_index(unsigned row, unsigned block, unsigned blocks, unsigned repetition,
                                                 unsigned thread) {
    return (row * blocks + (block + repetition) % blocks) * cached_block + thread;
}

__global__ void __launch_bounds__(cached_block, simt::resident_threads / cached_block)
    l2_read_kernel(CachedParameters const parameters, uint4 const* const __restrict__ values, unsigned* const words) {
    unsigned word = 0;
#pragma unroll 1
    for (unsigned repetition = 0; repetition < parameters.repetitions; ++repetition) {
#pragma unroll 4
        for (unsigned row = 0; row < parameters.rows; ++row) {
            unsigned const index = cached_index(row, blockIdx.x, gridDim.x, repetition, threadIdx.x);
            word = word * 3 + fold(load_past_l1(values + index));
        }
    }
    words[blockIdx.x * cached_block + threadIdx.x] = word;
}

// Each repetition stores other values, so that no store is redundant. The last repetition remains.
__global__ void __launch_bounds__(cached_block, simt::resident_threads / cached_block)
    l2_write_kernel(CachedParameters const parameters, uint4* const values) {
#pragma unroll 1
    for (unsigned repetition = 0; repetition < parameters.repetitions; ++repetition) {
#pragma unroll 4
        for (unsigned row = 0; row < parameters.rows; ++row) {
            unsigned const index = cached_index(row, blockIdx.x, gridDim.x, 0, threadIdx.x);
            values[index] = stream_value(index, parameters.seed + repetition);
        }
    }
}

class CachedProbe : public Probe {
public:
    explicit CachedProbe(Scale const& scale) {
        shape_.grid.x = cached_blocks_per_multiprocessor * scale.multiprocessors;
        shape_.block.x = cached_block;
        std::uint64_t const row_bytes = threads() * sizeof(uint4);
        parameters_.rows = static_cast<unsigned>(std::max<std::uint64_t>(1, scale.cached_bytes / row_bytes));
        parameters_.repetitions = scale.repetitions(300);
        parameters_.seed = 2026;
        values_ = Buffer<uint4>(threads() * parameters_.rows);
    }
    // Bytes between the multiprocessors and the L2 cache. Device memory is idle.
    double items() const override {
        return static_cast<double>(values_.size() * sizeof(uint4)) * parameters_.repetitions;
    }

protected:
    std::uint64_t threads() const { return shape_.grid.count() * shape_.block.count(); }
    CachedParameters const& parameters() const { return parameters_; }
    simt::LaunchShape const& shape() const { return shape_; }
    Buffer<uint4>& values() { return values_; }

    void store(simt::Stream stream, CachedParameters const& parameters) {
        launch("l2_write", l2_write_kernel, shape_, stream, parameters, values_.data());
    }

private:
    CachedParameters parameters_;
    simt::LaunchShape shape_;
    Buffer<uint4> values_;
};

class CachedReadProbe : public CachedProbe {
public:
    explicit CachedReadProbe(Scale const& scale) : CachedProbe(scale), words_(threads()) {
        simt::Stream const stream;
        store(stream, {parameters().rows, 1, parameters().seed});
        synchronize(stream);
    }
    void reset() override { words_.fill_bytes(0xA5); }
    void run(simt::Stream stream) override {
        launch("l2_read", l2_read_kernel, shape(), stream, parameters(), values().data(), words_.data());
    }
    // Recomputes the words of 64 threads.
    std::string check() override {
        std::vector<unsigned> const words = words_.to_vector();
        std::size_t const step = (words.size() - 1) / 63;
        for (std::size_t thread = 0; thread < words.size(); thread += step) {
            unsigned const expected = expected_word(static_cast<unsigned>(thread));
            if (words[thread] != expected) {
                return difference("word of thread", thread, words[thread], expected);
            }
        }
        return {};
    }
    simt::KernelAttributes kernel() const override { return attributes("l2_read", l2_read_kernel, shape()); }

private:
    unsigned expected_word(unsigned thread) const {
        unsigned const block = thread / cached_block;
        unsigned word = 0;
        for (unsigned repetition = 0; repetition < parameters().repetitions; ++repetition) {
            for (unsigned row = 0; row < parameters().rows; ++row) {
                unsigned const index = cached_index(row, block, shape().grid.x, repetition, thread % cached_block);
                word = word * 3 + fold(stream_value(index, parameters().seed));
            }
        }
        return word;
    }

    Buffer<unsigned> words_;
};

class CachedWriteProbe : public CachedProbe {
public:
    using CachedProbe::CachedProbe;
    void reset() override { values().fill_bytes(0xA5); }
    void run(simt::Stream stream) override { store(stream, parameters()); }
    std::string check() override {
        return check_stream_values(values(), 0, values().size(), parameters().seed + parameters().repetitions - 1);
    }
    simt::KernelAttributes kernel() const override { return attributes("l2_write", l2_write_kernel, shape()); }
};

template <class AProbe>
Limit cached_limit(char const* name, char const* description) {
    return {name, "B", description, machine, Quantity::rate, true, [](Scale const& scale) -> std::unique_ptr<Probe> {
                return std::make_unique<AProbe>(scale);
            }};
}

std::vector<Limit> l2_cache_limits(Scale const&) {
    return {
        cached_limit<CachedReadProbe>("l2.read", "16-byte loads past L1 over a third of the L2 cache, repeated"),
        cached_limit<CachedWriteProbe>("l2.write", "16-byte stores over a third of the L2 cache, repeated"),
    };
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
