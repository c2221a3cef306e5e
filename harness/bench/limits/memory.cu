// Limits of sequential device memory accesses: store, load and copy, 16 bytes per thread and access, over arrays far
// larger than the L2 cache.

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/sequential_values.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::limits::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

inline constexpr unsigned stream_block = 256;
inline constexpr unsigned accesses_in_flight = 4;  // per thread; a block handles 4 * 256 * 16 bytes = 16 KB

__global__ void store_kernel(uint4* const to, unsigned const seed) {
    unsigned const first = blockIdx.x * (stream_block * accesses_in_flight) + threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < accesses_in_flight; ++i) {
        unsigned const index = first + i * stream_block;
        to[index] = stream_value(index, seed);
    }
}

__global__ void copy_kernel(uint4 const* const __restrict__ from, uint4* const __restrict__ to) {
    unsigned const first = blockIdx.x * (stream_block * accesses_in_flight) + threadIdx.x;
    uint4 value[accesses_in_flight];
#pragma unroll
    for (unsigned i = 0; i < accesses_in_flight; ++i) {
        value[i] = from[first + i * stream_block];
    }
#pragma unroll
    for (unsigned i = 0; i < accesses_in_flight; ++i) {
        to[first + i * stream_block] = value[i];
    }
}

// Each block folds its 16 KB into one word per thread and stores it: a sixteenth of the bytes read.
__global__ void load_kernel(uint4 const* const __restrict__ from, unsigned* const __restrict__ words) {
    unsigned const first = blockIdx.x * (stream_block * accesses_in_flight) + threadIdx.x;
    uint4 value[accesses_in_flight];
#pragma unroll
    for (unsigned i = 0; i < accesses_in_flight; ++i) {
        value[i] = from[first + i * stream_block];
    }
    unsigned word = 0;
#pragma unroll
    for (unsigned i = 0; i < accesses_in_flight; ++i) {
        word = word * 3 + fold(value[i]);
    }
    words[blockIdx.x * stream_block + threadIdx.x] = word;
}

class StreamProbe : public Probe {
public:
    explicit StreamProbe(Scale const& scale) : count_(scale.stream_bytes / sizeof(uint4)) {
        shape_.grid.x = static_cast<unsigned>(count_ / (stream_block * accesses_in_flight));
        shape_.block.x = stream_block;
    }

protected:
    static constexpr unsigned seed = 2026;
    using Words = Buffer<uint4>;

    std::uint64_t count() const { return count_; }
    simt::LaunchShape const& shape() const { return shape_; }

    void fill(Words& words) {
        simt::Stream const stream;
        launch("store", store_kernel, shape_, stream, words.data(), seed);
        synchronize(stream);
    }

    // Compares the first, middle and last 1024 values with the formula.
    std::string check_values(Words const& words) const {
        std::uint64_t const part = std::min<std::uint64_t>(1024, count_);
        for (std::uint64_t const first : {std::uint64_t{0}, (count_ - part) / 2, count_ - part}) {
            if (std::string const found = check_stream_values(words, first, part, seed); !found.empty()) {
                return found;
            }
        }
        return {};
    }

private:
    std::uint64_t count_;
    simt::LaunchShape shape_;
};

class StoreProbe : public StreamProbe {
public:
    explicit StoreProbe(Scale const& scale) : StreamProbe(scale), to_(count()) {}
    void reset() override { to_.fill_bytes(0xA5); }
    void run(simt::Stream stream) override { launch("store", store_kernel, shape(), stream, to_.data(), seed); }
    std::string check() override { return check_values(to_); }
    double items() const override { return bytes(); }
    double bytes() const override { return static_cast<double>(count() * sizeof(uint4)); }
    simt::KernelAttributes kernel() const override { return attributes("store", store_kernel, shape()); }

private:
    Words to_;
};

class CopyProbe : public StreamProbe {
public:
    explicit CopyProbe(Scale const& scale) : StreamProbe(scale), from_(count()), to_(count()) { fill(from_); }
    void reset() override { to_.fill_bytes(0xA5); }
    void run(simt::Stream stream) override { launch("copy", copy_kernel, shape(), stream, from_.data(), to_.data()); }
    std::string check() override { return check_values(to_); }
    double items() const override { return bytes(); }
    double bytes() const override { return 2.0 * static_cast<double>(count() * sizeof(uint4)); }
    simt::KernelAttributes kernel() const override { return attributes("copy", copy_kernel, shape()); }

private:
    Words from_;
    Words to_;
};

class LoadProbe : public StreamProbe {
public:
    explicit LoadProbe(Scale const& scale) : StreamProbe(scale), from_(count()), words_(count() / accesses_in_flight) {
        fill(from_);
    }
    void reset() override { words_.fill_bytes(0xA5); }
    void run(simt::Stream stream) override {
        launch("load", load_kernel, shape(), stream, from_.data(), words_.data());
    }
    std::string check() override {
        for (std::uint64_t const word : {std::uint64_t{0}, words_.size() / 2 + 1, words_.size() - 1}) {
            unsigned actual = 0;
            words_.download(std::span<unsigned>(&actual, 1), word);
            unsigned expected = 0;
            for (unsigned i = 0; i < accesses_in_flight; ++i) {
                std::uint64_t const index =
                    (word / stream_block * accesses_in_flight + i) * stream_block + word % stream_block;
                expected = expected * 3 + fold(stream_value(static_cast<unsigned>(index), seed));
            }
            if (actual != expected) {
                return difference("word", word, actual, expected);
            }
        }
        return {};
    }
    double items() const override { return bytes(); }
    double bytes() const override {
        return static_cast<double>(count() * sizeof(uint4) + words_.size() * sizeof(unsigned));
    }
    simt::KernelAttributes kernel() const override { return attributes("load", load_kernel, shape()); }

private:
    Words from_;
    Buffer<unsigned> words_;
};

template <class AProbe>
Limit memory_limit(char const* name, char const* description) {
    return {name, "B", description, machine, Quantity::rate, false, [](Scale const& scale) -> std::unique_ptr<Probe> {
                return std::make_unique<AProbe>(scale);
            }};
}

std::vector<Limit> memory_limits(Scale const&) {
    return {
        memory_limit<CopyProbe>("copy", "a uint4 kernel; bytes read and bytes written"),
        memory_limit<StoreProbe>("store", "a uint4 kernel; bytes written"),
        memory_limit<LoadProbe>("load", "a uint4 kernel that folds 64 bytes into 4; bytes read and written"),
    };
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
