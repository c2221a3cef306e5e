// Limits of transfers between pinned host memory and device memory: in one direction, and in both at once.

#include <cuda_runtime.h>

#include <cstring>
#include <span>
#include <utility>

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/cuda/check.hpp"

namespace lockstep::limits::cuda {

namespace {

using simt::cuda::check;

unsigned word_at(std::size_t index) { return static_cast<unsigned>(index) * 0x9E3779B1u + 1; }

std::string compare(std::span<unsigned const> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != word_at(i)) {
            return difference("word", i, words[i], word_at(i));
        }
    }
    return {};
}

// Page-locked host memory.
class PinnedWords {
public:
    explicit PinnedWords(std::size_t size) : size_(size) {
        check(cudaMallocHost(&data_, size * sizeof(unsigned)), "cudaMallocHost");
    }
    PinnedWords(PinnedWords const&) = delete;
    PinnedWords& operator=(PinnedWords const&) = delete;
    ~PinnedWords() { cudaFreeHost(data_); }

    std::span<unsigned> words() { return {static_cast<unsigned*>(data_), size_}; }
    void fill_pattern() {
        for (std::size_t i = 0; i < size_; ++i) {
            words()[i] = word_at(i);
        }
    }

private:
    std::size_t size_;
    void* data_ = nullptr;
};

// Host and device memory of one direction.
class Transfer {
public:
    Transfer(std::size_t words, cudaMemcpyKind kind) : kind_(kind), host_(words), device_(words) {
        host_.fill_pattern();
        if (kind_ == cudaMemcpyDeviceToHost) {
            device_.upload(host_.words());
        }
    }
    void reset() {
        if (kind_ == cudaMemcpyDeviceToHost) {
            std::memset(host_.words().data(), 0xA5, host_.words().size_bytes());
        } else {
            device_.fill_bytes(0xA5);
        }
    }
    void run(cudaStream_t stream) {
        bool const to_host = kind_ == cudaMemcpyDeviceToHost;
        void* const host = host_.words().data();
        check(cudaMemcpyAsync(to_host ? host : device_.data(), to_host ? device_.data() : host, bytes(), kind_, stream),
              "cudaMemcpyAsync");
    }
    std::string compare_all() {
        return compare(kind_ == cudaMemcpyDeviceToHost
                           ? std::vector<unsigned>(host_.words().begin(), host_.words().end())
                           : device_.to_vector());
    }
    std::size_t bytes() const { return device_.size() * sizeof(unsigned); }

private:
    cudaMemcpyKind kind_;
    PinnedWords host_;
    simt::cuda::Buffer<unsigned> device_;
};

class OneWayProbe : public Probe {
public:
    OneWayProbe(Scale const& scale, cudaMemcpyKind kind) : transfer_(scale.pinned_bytes / sizeof(unsigned), kind) {}
    void reset() override { transfer_.reset(); }
    void run(simt::Stream stream) override { transfer_.run(static_cast<cudaStream_t>(stream.handle)); }
    std::string check() override { return transfer_.compare_all(); }
    double items() const override { return static_cast<double>(transfer_.bytes()); }

private:
    Transfer transfer_;
};

// A stream for the second direction. It starts when the first stream reaches the fork, and the first stream continues
// when it is done.
class SecondStream {
public:
    SecondStream() {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        check(cudaEventCreateWithFlags(&reached_, cudaEventDisableTiming), "cudaEventCreate");
    }
    SecondStream(SecondStream const&) = delete;
    SecondStream& operator=(SecondStream const&) = delete;
    ~SecondStream() {
        cudaEventDestroy(reached_);
        cudaStreamDestroy(stream_);
    }
    cudaStream_t get() const { return stream_; }
    void fork(cudaStream_t from) { order(from, stream_); }
    void join(cudaStream_t to) { order(stream_, to); }

private:
    void order(cudaStream_t before, cudaStream_t after) {
        check(cudaEventRecord(reached_, before), "cudaEventRecord");
        check(cudaStreamWaitEvent(after, reached_), "cudaStreamWaitEvent");
    }

    cudaStream_t stream_ = nullptr;
    cudaEvent_t reached_ = nullptr;
};

class BothWaysProbe : public Probe {
public:
    explicit BothWaysProbe(Scale const& scale)
        : to_device_(scale.pinned_bytes / sizeof(unsigned), cudaMemcpyHostToDevice),
          to_host_(scale.pinned_bytes / sizeof(unsigned), cudaMemcpyDeviceToHost) {}
    void reset() override {
        to_device_.reset();
        to_host_.reset();
    }
    void run(simt::Stream stream) override {
        cudaStream_t const first = static_cast<cudaStream_t>(stream.handle);
        second_.fork(first);
        to_device_.run(first);
        to_host_.run(second_.get());
        second_.join(first);
    }
    std::string check() override {
        std::string const found = to_device_.compare_all();
        return found.empty() ? to_host_.compare_all() : found;
    }
    double items() const override { return static_cast<double>(to_device_.bytes() + to_host_.bytes()); }

private:
    Transfer to_device_;
    Transfer to_host_;
    SecondStream second_;
};

Limit transfer_limit(char const* name, char const* description,
                     std::function<std::unique_ptr<Probe>(Scale const&)> make) {
    return {name, "B", description, simt::Machine::cuda, Quantity::rate, false, std::move(make)};
}

}  // namespace

std::vector<Limit> transfer_limits(Scale const&) {
    return {
        transfer_limit("pcie.to_device", "cudaMemcpyAsync from pinned host memory to the device",
                       [](Scale const& scale) -> std::unique_ptr<Probe> {
                           return std::make_unique<OneWayProbe>(scale, cudaMemcpyHostToDevice);
                       }),
        transfer_limit("pcie.to_host", "cudaMemcpyAsync from the device to pinned host memory",
                       [](Scale const& scale) -> std::unique_ptr<Probe> {
                           return std::make_unique<OneWayProbe>(scale, cudaMemcpyDeviceToHost);
                       }),
        transfer_limit(
            "pcie.both", "both at once, on two streams; bytes of both directions",
            [](Scale const& scale) -> std::unique_ptr<Probe> { return std::make_unique<BothWaysProbe>(scale); }),
    };
}

}  // namespace lockstep::limits::cuda
