// GPUs as devices. NVRTC is loaded when a text has to be compiled. The program links neither NVRTC nor the
// driver, so it starts without them.

#include "harness/bench/error.hpp"
#include "harness/jit/device.hpp"

#if !defined(LOCKSTEP_WITH_CUDA)

namespace lockstep::jit {

Device& cuda_device() {
    throw bench::Error("no CUDA device", "this program was built without CUDA",
                       "Install the CUDA Toolkit and build again, or try --machine cpu.");
}

}  // namespace lockstep::jit

#else

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "harness/jit/nvrtc.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/cuda/launch.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::jit {

namespace {

using simt::cuda::check;

class CudaDevice : public Device {
public:
    // The device in use.
    CudaDevice()
        : device_(simt::device_in_use()),
          capability_(10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor)),
          multiprocessors_(attribute(cudaDevAttrMultiProcessorCount)) {
        simt::use_device(device_);  // creates its context
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        check(cudaStreamCreateWithFlags(&aside_, cudaStreamNonBlocking), "cudaStreamCreate");
        check(cudaMallocHost(&pinned_, pinned_bytes), "cudaMallocHost");
        check(cudaEventCreateWithFlags(&reached_, cudaEventBlockingSync | cudaEventDisableTiming), "cudaEventCreate");
    }

    simt::Machine machine() const override { return simt::Machine::cuda; }
    std::string name() const override { return simt::cuda_devices().devices.at(device_).name; }

    std::uint64_t free_memory() const override {
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        return free;
    }

    void* allocate(std::size_t bytes) override {
        void* memory = nullptr;
        cudaError_t const status = cudaMalloc(&memory, bytes);
        if (status == cudaErrorMemoryAllocation) {
            static_cast<void>(cudaGetLastError());  // the next call must not report it
            return nullptr;
        }
        check(status, "cudaMalloc");
        return memory;
    }
    void release(void* memory) noexcept override { cudaFree(memory); }

    // Short transfers go through memory that the driver need not copy first.
    void upload(void* to, void const* from, std::size_t bytes) override {
        if (bytes > pinned_bytes / 2) {
            check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "cudaMemcpy to the device");
            synchronize();
            return;
        }
        if (uploaded_ + bytes > pinned_bytes) {
            synchronize();
        }
        std::byte* const staged = static_cast<std::byte*>(pinned_) + uploaded_;
        std::memcpy(staged, from, bytes);
        uploaded_ += simt::round_up(bytes, 64u);
        check(cudaMemcpyAsync(to, staged, bytes, cudaMemcpyHostToDevice, stream_), "cudaMemcpy to the device");
    }
    void download(void* to, void const* from, std::size_t bytes) override {
        bool const is_short = uploaded_ + bytes <= pinned_bytes;
        std::byte* const staged = static_cast<std::byte*>(pinned_) + uploaded_;
        check(cudaMemcpyAsync(is_short ? staged : to, from, bytes, cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpy to the host");
        synchronize();
        if (is_short)
            std::memcpy(to, staged, bytes);
    }
    void copy(void* to, void const* from, std::size_t bytes) override {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "cudaMemcpy on the device");
    }
    void fill(void* to, unsigned char byte, std::size_t bytes) override {
        check(cudaMemsetAsync(to, byte, bytes, stream_), "cudaMemset");
    }

    void launch(std::string const& name, void* kernel, simt::LaunchShape const& shape, void const* arguments) override {
        void* pointers[] = {const_cast<void*>(arguments), nullptr};
        simt::cuda::launch_untyped(name.c_str(), kernel, shape, {stream_}, pointers);
    }
    unsigned resident_blocks(void* kernel, simt::LaunchShape const& shape) override {
        return static_cast<unsigned>(attributes("", kernel, shape).resident_blocks_per_multiprocessor *
                                     multiprocessors_);
    }
    simt::KernelAttributes attributes(std::string const& name, void* kernel, simt::LaunchShape const& shape) override {
        return simt::cuda::attributes_untyped(name.c_str(), kernel, shape);
    }
    void synchronize() override {
        if (patient_) {
            check(cudaEventRecord(reached_, stream_), "cudaEventRecord");
            spin_until_reached();
            check(cudaEventSynchronize(reached_), "kernel execution");
        } else {
            check(cudaStreamSynchronize(stream_), "kernel execution");
        }
        uploaded_ = 0;
    }
    // Any thread may call it, also one that uses another device.
    void store_aside(unsigned* to, unsigned value) override {
        simt::ScopedDevice const scope(device_);
        check(cudaMemcpyAsync(to, &value, sizeof value, cudaMemcpyHostToDevice, aside_), "cudaMemcpy to the device");
        check(cudaStreamSynchronize(aside_), "cudaMemcpy to the device");
    }
    // A thread that sleeps until the event wakes up some 100 us late if the CPUs are busy, so a short wait does not
    // sleep. On few CPUs, others need this one.
    void spin_until_reached() {
        unsigned const cpus = std::thread::hardware_concurrency();
        if (cpus <= 2)
            return;
        std::chrono::microseconds const longest(cpus < 8 ? 400 : 10000);
        auto const end = std::chrono::steady_clock::now() + longest;
        while (cudaEventQuery(reached_) == cudaErrorNotReady && std::chrono::steady_clock::now() < end) {
#if defined(__x86_64__)
            for (int i = 0; i < 32; ++i)
                __builtin_ia32_pause();
#endif
        }
        static_cast<void>(cudaGetLastError());  // it would report "not ready"
    }
    void wait_patiently(bool patiently) override { patient_ = patiently; }

    std::size_t mark() override {
        if (marks_ == events_.size()) {
            events_.emplace_back();
            check(cudaEventCreate(&events_.back()), "cudaEventCreate");
        }
        check(cudaEventRecord(events_[marks_], stream_), "cudaEventRecord");
        return marks_++;
    }
    double seconds_between(std::size_t first, std::size_t last) override {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, events_.at(first), events_.at(last)), "cudaEventElapsedTime");
        return static_cast<double>(milliseconds) / 1000;
    }
    void forget_marks() override { marks_ = 0; }

protected:
    Kernels compile(KernelText const& text, KernelContext const& context) override {
        std::string const image = nvrtc_image(text.text, capability_, context);
        cudaLibrary_t library = nullptr;
        check(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
              "cudaLibraryLoadData");
        Kernels kernels;
        for (std::string const& entry : text.entries) {
            cudaKernel_t kernel = nullptr;
            check(cudaLibraryGetKernel(&kernel, library, gpu_symbol(text, entry).c_str()), "cudaLibraryGetKernel");
            kernels[entry] = kernel;
        }
        return kernels;
    }

    void compile_to_cache(KernelText const& text, KernelContext const& context) const override {
        static_cast<void>(nvrtc_image(text.text, capability_, context));
    }

private:
    static constexpr std::size_t pinned_bytes = std::size_t{1} << 20;

    int attribute(cudaDeviceAttr which) const {
        int value = 0;
        check(cudaDeviceGetAttribute(&value, which, static_cast<int>(device_)), "cudaDeviceGetAttribute");
        return value;
    }

    // Not the whole description of the device: some values of it are slow to read.
    std::size_t const device_;
    int const capability_;
    int const multiprocessors_;
    cudaStream_t stream_ = nullptr;
    cudaStream_t aside_ = nullptr;
    cudaEvent_t reached_ = nullptr;  // waiting for it sleeps
    bool patient_ = false;
    void* pinned_ = nullptr;
    std::size_t uploaded_ = 0;  // bytes of pinned_ that a queued copy may still read
    std::vector<cudaEvent_t> events_;
    std::size_t marks_ = 0;
};

}  // namespace

// Never destroyed: the runtime may be gone by then.
Device& cuda_device() {
    static std::mutex mutex;
    static std::map<std::size_t, CudaDevice*>& devices = *new std::map<std::size_t, CudaDevice*>;
    std::size_t const number = simt::device_in_use();
    std::lock_guard const lock(mutex);
    CudaDevice*& device = devices[number];
    if (device == nullptr) {
        if (simt::cuda_device_count() == 0)
            throw bench::Error("no CUDA device", simt::cuda_devices().reason, "Try --machine cpu.");
        device = new CudaDevice;
    } else if (simt::selected_device() != number) {
        simt::use_device(number);  // another thread has opened it
    }
    return *device;
}

}  // namespace lockstep::jit

#endif
