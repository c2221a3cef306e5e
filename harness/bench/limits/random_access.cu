// Limits of random 4-byte loads and atomic additions, over tables from 4 MB, which fits in the L2 cache, to 8 GB.
// Computing an address takes a multiply-add, a shift and an exclusive or, and each thread has eight independent
// accesses in flight, so the memory system is the bottleneck.

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/thread_word_probe.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::limits {

struct TableParameters {
    unsigned* table = nullptr;
    unsigned index_mask = 0;  // number of words in the table, a power of two, minus 1
    unsigned accesses = 0;    // per thread, a multiple of eight
    unsigned seed = 0;
};

}  // namespace lockstep::limits

namespace lockstep::limits::LOCKSTEP_MACHINE {

inline constexpr unsigned table_block = 256;
inline constexpr unsigned accesses_per_thread = 64;
inline constexpr unsigned independent = 8;

// The addresses of a thread: a linear congruential sequence that starts from a hash. Its weak low bits are mixed with
// its high bits.
class Addresses {
public:
    __host__ __device__ Addresses(unsigned thread, unsigned seed) : state_(mix(thread ^ seed)) {}
    __host__ __device__ unsigned next(unsigned mask) {
        state_ = state_ * 1664525u + 1013904223u;
        return (state_ ^ (state_ >> 16)) & mask;
    }

private:
    unsigned state_;
};

__host__ __device__ inline unsigned table_value(unsigned index) { return index * 0x9E3779B1u + 7u; }

__global__ void fill_table_kernel(unsigned* const table) {
    unsigned const index = blockIdx.x * blockDim.x + threadIdx.x;
    table[index] = table_value(index);
}

__global__ void __launch_bounds__(table_block)
    random_load_kernel(TableParameters const parameters, unsigned* const sums) {
    unsigned const thread = thread_number();
    Addresses addresses(thread, parameters.seed);
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned n = 0; n < parameters.accesses; n += independent) {
        unsigned value[independent];
#pragma unroll
        for (unsigned i = 0; i < independent; ++i) {
            value[i] = parameters.table[addresses.next(parameters.index_mask)];
        }
#pragma unroll
        for (unsigned i = 0; i < independent; ++i) {
            sum += value[i];
        }
    }
    sums[thread] = sum;
}

__global__ void __launch_bounds__(table_block) random_add_kernel(TableParameters const parameters) {
    Addresses addresses(thread_number(), parameters.seed);
#pragma unroll 1
    for (unsigned n = 0; n < parameters.accesses; n += independent) {
#pragma unroll
        for (unsigned i = 0; i < independent; ++i) {
            atomicAdd(&parameters.table[addresses.next(parameters.index_mask)], 1u);
        }
    }
}

class TableProbe : public Probe {
public:
    TableProbe(std::uint64_t table_bytes, unsigned accesses_log2) : table_(table_bytes / sizeof(unsigned)) {
        parameters_ = {table_.data(), static_cast<unsigned>(table_.size() - 1), accesses_per_thread, 2026};
        shape_.grid.x = (1u << accesses_log2) / (accesses_per_thread * table_block);
        shape_.grid.x = std::max(shape_.grid.x, 1u);
        shape_.block.x = table_block;
    }
    double items() const override { return static_cast<double>(threads()) * accesses_per_thread; }

protected:
    using Words = Buffer<unsigned>;
    std::uint64_t threads() const { return shape_.grid.count() * shape_.block.count(); }
    Words& table() { return table_; }
    TableParameters const& parameters() const { return parameters_; }
    simt::LaunchShape const& shape() const { return shape_; }

private:
    Words table_;
    TableParameters parameters_;
    simt::LaunchShape shape_;
};

class RandomLoadProbe : public TableProbe {
public:
    RandomLoadProbe(std::uint64_t table_bytes, unsigned accesses_log2)
        : TableProbe(table_bytes, accesses_log2), sums_(threads()) {
        simt::LaunchShape fill_shape;
        fill_shape.grid.x = static_cast<unsigned>(table().size() / table_block);
        fill_shape.block.x = table_block;
        simt::Stream const stream;
        launch("fill", fill_table_kernel, fill_shape, stream, table().data());
        synchronize(stream);
    }

    void reset() override { sums_.fill_bytes(0xA5); }

    void run(simt::Stream stream) override {
        launch("random_load", random_load_kernel, shape(), stream, parameters(), sums_.data());
    }

    std::string check() override {
        std::uint64_t const step = std::max<std::uint64_t>(1, (threads() - 1) / 63);
        for (std::uint64_t thread = 0; thread < threads(); thread += step) {
            unsigned sum = 0;
            sums_.download(std::span<unsigned>(&sum, 1), thread);
            Addresses addresses(static_cast<unsigned>(thread), parameters().seed);
            unsigned expected = 0;
            for (unsigned n = 0; n < accesses_per_thread; ++n) {
                expected += table_value(addresses.next(parameters().index_mask));
            }
            if (sum != expected) {
                return difference("sum of thread", thread, sum, expected);
            }
        }
        return {};
    }

    simt::KernelAttributes kernel() const override { return attributes("random_load", random_load_kernel, shape()); }

private:
    Words sums_;
};

class RandomAtomicProbe : public TableProbe {
public:
    using TableProbe::TableProbe;

    void reset() override {
        table().fill_bytes(0);
        runs_ = 0;
    }

    void run(simt::Stream stream) override {
        launch("random_atomic", random_add_kernel, shape(), stream, parameters());
        ++runs_;
    }

    // Compares the table's first 65536 words with the additions of all threads, counted on the host.
    std::string check() override {
        if (runs_ == 0) {
            return "no run since the reset";
        }
        std::vector<unsigned> words(std::min<std::uint64_t>(table().size(), 65536));
        if (expected_.empty()) {
            expected_.resize(words.size());
            for (std::uint64_t thread = 0; thread < threads(); ++thread) {
                Addresses addresses(static_cast<unsigned>(thread), parameters().seed);
                for (unsigned n = 0; n < accesses_per_thread; ++n) {
                    unsigned const index = addresses.next(parameters().index_mask);
                    if (index < expected_.size()) {
                        ++expected_[index];
                    }
                }
            }
        }
        table().download(words);
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] != expected_[i] * runs_) {
                return difference("word", i, words[i], expected_[i] * runs_);
            }
        }
        return {};
    }

    simt::KernelAttributes kernel() const override { return attributes("random_atomic", random_add_kernel, shape()); }

private:
    unsigned runs_ = 0;
    std::vector<unsigned> expected_;  // per run
};

std::vector<Limit> random_access_limits(Scale const& scale) {
    std::vector<Limit> limits;
    for (std::uint64_t const bytes : scale.table_bytes) {
        Limit limit{"random_load." + size_name(bytes),
                    "loads",
                    "random 4-byte loads, 8 in flight per thread",
                    machine,
                    Quantity::rate,
                    false,
                    {}};
        limit.make = [bytes](Scale const& now) -> std::unique_ptr<Probe> {
            return std::make_unique<RandomLoadProbe>(bytes, now.random_accesses_log2);
        };
        limits.push_back(limit);
    }
    for (std::uint64_t const bytes : scale.table_bytes) {
        Limit limit{"random_atomic." + size_name(bytes),
                    "atomics",
                    "random 4-byte atomicAdd, result unused",
                    machine,
                    Quantity::rate,
                    false,
                    {}};
        limit.make = [bytes](Scale const& now) -> std::unique_ptr<Probe> {
            return std::make_unique<RandomAtomicProbe>(bytes, now.random_accesses_log2 - 2);
        };
        limits.push_back(limit);
    }
    return limits;
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
