// Limits of CUDA's own calls, for comparison with our kernels: cudaMemcpy within the device, a plain <<<>>> launch, and
// a launch within a CUDA graph. Compiled only by nvcc.
//
// A single launch is limited by the host, which takes longer to queue an empty kernel than the device takes to execute
// it. The launches of a graph are queued together, so their time is the device's.

#include <cuda_runtime.h>

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/cuda/check.hpp"

namespace lockstep::limits::cuda {

namespace {

class MemcpyProbe : public Probe {
public:
    explicit MemcpyProbe(Scale const& scale) : from_(scale.stream_bytes / 4), to_(scale.stream_bytes / 4) {
        std::vector<unsigned> pattern(1 << 20);
        for (unsigned i = 0; i < pattern.size(); ++i) {
            pattern[i] = i * 0x9E3779B1u + 1;
        }
        // Copies the filled part repeatedly, doubling it, until the buffer is full.
        from_.upload(std::span<unsigned const>(pattern).first(std::min(pattern.size(), from_.size())));
        for (std::size_t done = pattern.size(); done < from_.size(); done *= 2) {
            std::size_t const count = std::min(done, from_.size() - done);
            simt::cuda::check(cudaMemcpy(from_.data() + done, from_.data(), count * 4, cudaMemcpyDeviceToDevice),
                              "cudaMemcpy");
        }
    }
    void reset() override { to_.fill_bytes(0xA5); }
    void run(simt::Stream stream) override {
        cudaError_t const status = cudaMemcpyAsync(to_.data(), from_.data(), from_.size() * 4, cudaMemcpyDeviceToDevice,
                                                   static_cast<cudaStream_t>(stream.handle));
        simt::cuda::check(status, "cudaMemcpyAsync");
    }
    // The pattern repeats every 2^20 words.
    std::string check_words(std::size_t first) {
        std::vector<unsigned> words(std::min<std::size_t>(1024, to_.size()));
        to_.download(words, first);
        for (std::size_t i = 0; i < words.size(); ++i) {
            unsigned const expected = static_cast<unsigned>((first + i) % (1 << 20)) * 0x9E3779B1u + 1;
            if (words[i] != expected) {
                return difference("word", first + i, words[i], expected);
            }
        }
        return {};
    }
    std::string check() override {
        std::string found = check_words(0);
        if (found.empty()) {
            found = check_words(to_.size() - std::min<std::size_t>(1024, to_.size()));
        }
        return found;
    }
    double items() const override { return bytes(); }
    double bytes() const override { return 2.0 * 4.0 * static_cast<double>(from_.size()); }

private:
    simt::cuda::Buffer<unsigned> from_;
    simt::cuda::Buffer<unsigned> to_;
};

__global__ void bare_kernel(unsigned* const word) {
    if (word != nullptr) {
        *word += 1;
    }
}

void launch_bare(cudaStream_t stream, unsigned count, unsigned* word) {
    for (unsigned i = 0; i < count; ++i) {
        bare_kernel<<<1, 1, 0, stream>>>(word);
    }
    simt::cuda::check(cudaGetLastError(), "launch of an empty kernel");
}

// Queues launches of an empty kernel. Checks 100 launches that increment a word in sequence, because the empty ones
// leave nothing to check.
class BareLaunchProbe : public Probe {
public:
    explicit BareLaunchProbe(unsigned launches) : word_(1), launches_(launches) {}
    void reset() override { word_.fill_bytes(0); }
    void run(simt::Stream stream) override {
        launch_bare(static_cast<cudaStream_t>(stream.handle), launches_, nullptr);
    }
    std::string check() override {
        launch_bare(nullptr, 100, word_.data());
        simt::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        unsigned const count = word_.to_vector().front();
        word_.fill_bytes(0);
        return count == 100 ? std::string() : difference("count of launches", 0, count, 100);
    }
    double items() const override { return launches_; }

private:
    simt::cuda::Buffer<unsigned> word_;
    unsigned launches_;
};

// A chain of kernels, each of which starts when the one before it is done.
class KernelChain {
public:
    KernelChain(unsigned kernels, unsigned* word) {
        using simt::cuda::check;
        void* arguments[] = {&word, nullptr};
        cudaKernelNodeParams parameters{};
        parameters.func = reinterpret_cast<void*>(bare_kernel);
        parameters.gridDim = dim3(1);
        parameters.blockDim = dim3(1);
        parameters.kernelParams = arguments;
        cudaGraph_t graph = nullptr;
        check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
        cudaGraphNode_t last = nullptr;
        for (unsigned i = 0; i < kernels; ++i) {
            cudaGraphNode_t const before = last;
            check(cudaGraphAddKernelNode(&last, graph, &before, i == 0 ? 0 : 1, &parameters), "cudaGraphAddKernelNode");
        }
        check(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
        cudaGraphDestroy(graph);
    }
    KernelChain(KernelChain const&) = delete;
    KernelChain& operator=(KernelChain const&) = delete;
    ~KernelChain() { cudaGraphExecDestroy(executable_); }

    void launch(cudaStream_t stream) { simt::cuda::check(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch"); }

private:
    cudaGraphExec_t executable_ = nullptr;
};

// Launches a chain of empty kernels. Checks a chain of as many kernels that increment a word.
class GraphLaunchProbe : public Probe {
public:
    explicit GraphLaunchProbe(unsigned kernels)
        : kernels_(kernels), word_(1), empty_(kernels, nullptr), counting_(kernels, word_.data()) {}
    void reset() override { word_.fill_bytes(0); }
    void run(simt::Stream stream) override { empty_.launch(static_cast<cudaStream_t>(stream.handle)); }
    std::string check() override {
        counting_.launch(nullptr);
        simt::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        unsigned const count = word_.to_vector().front();
        word_.fill_bytes(0);
        return count == kernels_ ? std::string() : difference("count of launches", 0, count, kernels_);
    }
    double items() const override { return kernels_; }

private:
    unsigned kernels_;
    simt::cuda::Buffer<unsigned> word_;
    KernelChain empty_;
    KernelChain counting_;
};

}  // namespace

std::vector<Limit> library_limits(Scale const&) {
    return {
        {"copy.memcpy", "B", "cudaMemcpy within the device; bytes read and bytes written", simt::Machine::cuda,
         Quantity::rate, false,
         [](Scale const& scale) -> std::unique_ptr<Probe> { return std::make_unique<MemcpyProbe>(scale); }},
        {"launch.bare", "launches",
         "back-to-back launches of an empty kernel with <<<>>>: the host's time to queue one", simt::Machine::cuda,
         Quantity::duration, false,
         [](Scale const& scale) -> std::unique_ptr<Probe> {
             return std::make_unique<BareLaunchProbe>(scale.repetitions(3000));
         }},
        {"launch.graph", "launches",
         "a CUDA graph of 1000 empty kernels in a chain: the device's time from one kernel to the next",
         simt::Machine::cuda, Quantity::duration, false,
         [](Scale const& scale) -> std::unique_ptr<Probe> {
             return std::make_unique<GraphLaunchProbe>(scale.repetitions(1000));
         }},
    };
}

}  // namespace lockstep::limits::cuda
