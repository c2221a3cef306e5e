// Compiles a small kernel with NVRTC and loads its machine code. The kernel's text includes the kernel header, as every
// text does that this program compiles at run time.

#include <cuda_runtime.h>

#include <string>

#include "harness/cli/compile_limits.hpp"
#include "harness/jit/nvrtc.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/cuda/check.hpp"
#include "harness/simt/cuda/launch.hpp"

namespace lockstep::limits::cuda {

namespace {

using simt::cuda::check;

constexpr unsigned hashing_threads = 256;

// Each thread hashes its number and `salt`. Texts with different salts are different for any cache.
std::string kernel_text(unsigned salt) {
    return "#include \"harness/simt/kernel.hpp\"\n"
           "using namespace lockstep::simt::LOCKSTEP_MACHINE;\n"
           "extern \"C\" __global__ void hash(unsigned* words) {\n"
           "    unsigned word = threadIdx.x + " +
           std::to_string(salt) +
           "u;\n"
           "    for (unsigned round = 0; round < 16; ++round)\n"
           "        word = (word ^ (word >> 15)) * 0x846CA68Bu;\n"
           "    words[threadIdx.x] = word;\n"
           "}\n";
}

unsigned expected_word(unsigned thread, unsigned salt) {
    unsigned word = thread + salt;
    for (unsigned round = 0; round < 16; ++round) {
        word = (word ^ (word >> 15)) * 0x846CA68Bu;
    }
    return word;
}

int capability() {
    int device = 0;
    int major = 0;
    int minor = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "cudaDeviceGetAttribute");
    return 10 * major + minor;
}

std::string compile(unsigned salt) {
    static int const target = capability();
    jit::KernelContext const context{{"limits", "the kernel of a limit", "leave out this limit with --only."}, {}, {}};
    return jit::nvrtc_image_without_cache(kernel_text(salt), target, context);
}

// A loaded library of kernels.
class Library {
public:
    explicit Library(std::string const& image) {
        check(cudaLibraryLoadData(&library_, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
              "cudaLibraryLoadData");
    }
    Library(Library const&) = delete;
    Library& operator=(Library const&) = delete;
    ~Library() { cudaLibraryUnload(library_); }

    // The driver loads a kernel's code when the kernel is first used, which this does without launching it.
    cudaKernel_t kernel() const {
        cudaKernel_t kernel = nullptr;
        cudaFuncAttributes attributes{};
        check(cudaLibraryGetKernel(&kernel, library_, "hash"), "cudaLibraryGetKernel");
        check(cudaFuncGetAttributes(&attributes, reinterpret_cast<void const*>(kernel)), "cudaFuncGetAttributes");
        return kernel;
    }

private:
    cudaLibrary_t library_ = nullptr;
};

// Loads and executes an image, and compares the words of all threads. Empty if they are correct.
std::string execute(std::string const& image, unsigned salt) {
    if (image.empty()) {
        return "no run since the reset";
    }
    Library const library(image);
    simt::cuda::Buffer<unsigned> words(hashing_threads);
    words.fill_bytes(0xA5);
    simt::LaunchShape shape;
    shape.block.x = hashing_threads;
    unsigned* const to = words.data();
    void* arguments[] = {const_cast<unsigned**>(&to), nullptr};
    simt::cuda::launch_untyped("hash", reinterpret_cast<void const*>(library.kernel()), shape, {}, arguments);
    std::vector<unsigned> const actual = words.to_vector();
    for (unsigned thread = 0; thread < hashing_threads; ++thread) {
        if (actual[thread] != expected_word(thread, salt)) {
            return difference("word of thread", thread, actual[thread], expected_word(thread, salt));
        }
    }
    return {};
}

// Each run compiles another text. Checks what the last run compiled.
class CompileProbe : public Probe {
public:
    void reset() override { image_.clear(); }
    void run(simt::Stream) override { image_ = compile(++salt_); }
    std::string check() override { return execute(image_, salt_); }
    double items() const override { return 1; }

private:
    unsigned salt_ = 2026;
    std::string image_;
};

// Loads and unloads the machine code of one kernel. Checks that the kernel executes when it is loaded once more.
class LoadCodeProbe : public Probe {
public:
    LoadCodeProbe() : image_(compile(salt)) {}
    void reset() override { loads_ = 0; }
    void run(simt::Stream) override {
        Library const library(image_);
        loads_ += library.kernel() != nullptr ? 1 : 0;
    }
    std::string check() override { return loads_ == 0 ? "no run since the reset" : execute(image_, salt); }
    double items() const override { return 1; }

private:
    static constexpr unsigned salt = 2026;
    std::string image_;
    unsigned loads_ = 0;
};

}  // namespace

std::vector<Limit> compile_limits() {
    return {
        {"compile.nvrtc", "compilations", "NVRTC compiles a small kernel without a cache: the host's time",
         simt::Machine::cpu, Quantity::duration, false,
         [](Scale const&) -> std::unique_ptr<Probe> { return std::make_unique<CompileProbe>(); }},
        {"compile.load", "loads", "loads and unloads the machine code of that kernel: the host's time",
         simt::Machine::cpu, Quantity::duration, false,
         [](Scale const&) -> std::unique_ptr<Probe> { return std::make_unique<LoadCodeProbe>(); }},
    };
}

}  // namespace lockstep::limits::cuda
