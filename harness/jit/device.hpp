#pragma once
// A machine that runs kernels compiled at run time: a GPU, with NVRTC, or the emulator, with the machine's C++
// compiler. Copies and launches run in the order of the calls; download() and synchronize() wait for all of them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/jit/context.hpp"
#include "harness/jit/kernel_text.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::jit {

class Device {
public:
    virtual ~Device() = default;

    virtual simt::Machine machine() const = 0;
    virtual std::string name() const = 0;
    // Returns the number of bytes that can be allocated now.
    virtual std::uint64_t free_memory() const = 0;

    // Returns uninitialised memory, or null if there is not enough.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;
    // The caller may change the source after this returns.
    virtual void upload(void* to, void const* from, std::size_t bytes) = 0;
    virtual void download(void* to, void const* from, std::size_t bytes) = 0;
    virtual void copy(void* to, void const* from, std::size_t bytes) = 0;
    virtual void fill(void* to, unsigned char byte, std::size_t bytes) = 0;

    // Returns the kernels of the text: compiled with this build, loaded from the cache, or compiled now. Throws
    // bench::Error if they cannot be compiled.
    Kernels const& load(KernelText const& text, KernelContext const& context);
    // Makes the cache have what load() would compile. Any thread may call this. The emulator compiles nothing here.
    // Throws what load() throws.
    void compile_ahead(KernelText const& text, KernelContext const& context) const;
    // `arguments` is the kernel's struct, read before this returns. Throws simt::Error.
    virtual void launch(std::string const& name, void* kernel, simt::LaunchShape const& shape,
                        void const* arguments) = 0;
    // Returns the number of blocks of that shape that can be resident on the device at the same time: the limit of a
    // cooperative launch.
    virtual unsigned resident_blocks(void* kernel, simt::LaunchShape const& shape) = 0;
    virtual simt::KernelAttributes attributes(std::string const& name, void* kernel,
                                              simt::LaunchShape const& shape) = 0;
    virtual void synchronize() = 0;
    // Stores a word that running kernels read with load_relaxed(). Any thread may call this. It does not wait
    // for queued work, and the word is stored when it returns.
    virtual void store_aside(unsigned* to, unsigned value) = 0;
    // True: a thread that waits for the device spins for a short time and then sleeps, and wakes with a small delay.
    // False: it spins.
    virtual void wait_patiently(bool patiently) { static_cast<void>(patiently); }

    // Marks a point in the queue of work and returns its number; seconds_between() returns the time between two marks.
    // Numbers restart at 0 after forget_marks(). The emulator does not measure times.
    virtual std::size_t mark() = 0;
    virtual double seconds_between(std::size_t first, std::size_t last) = 0;
    virtual void forget_marks() = 0;

protected:
    virtual Kernels compile(KernelText const& text, KernelContext const& context) = 0;
    virtual void compile_to_cache(KernelText const&, KernelContext const&) const {}

private:
    std::map<std::string, Kernels> loaded_;  // by text
};

// Returns the device of that machine: of several GPUs, the one that the calling thread uses (simt::use_device). The
// first call opens it, which creates the CUDA context. A device is used by one thread at a time. Throws bench::Error
// with the reason if there is none.
Device& device_of(simt::Machine machine);

Device& emulator_device();
Device& cuda_device();

// Makes long waits of this scope sleep, if `wanted`.
class PatientWaits {
public:
    PatientWaits(Device& device, bool wanted) : device_(device) { device_.wait_patiently(wanted); }
    ~PatientWaits() { device_.wait_patiently(false); }
    PatientWaits(PatientWaits const&) = delete;
    PatientWaits& operator=(PatientWaits const&) = delete;

private:
    Device& device_;
};

// Device memory, released by the destructor.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    // data() is null if there is not enough memory.
    DeviceArray(Device& device, std::size_t size)
        : device_(&device), size_(size), data_(size == 0 ? nullptr : device.allocate(size * sizeof(T))) {}
    DeviceArray(DeviceArray&& other) noexcept
        : device_(other.device_), size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(size_, other.size_);
        std::swap(data_, other.data_);
        return *this;
    }
    ~DeviceArray() {
        if (data_ != nullptr)
            device_->release(data_);
    }

    T* data() const { return static_cast<T*>(data_); }
    std::size_t size() const { return size_; }
    bool missing() const { return data_ == nullptr && size_ != 0; }

    void upload(std::span<T const> from, std::size_t first = 0) {
        device_->upload(data() + first, from.data(), from.size_bytes());
    }
    void download(std::span<T> to, std::size_t first = 0) const {
        device_->download(to.data(), data() + first, to.size_bytes());
    }
    void fill(unsigned char byte) { device_->fill(data_, byte, size_ * sizeof(T)); }

private:
    Device* device_ = nullptr;
    std::size_t size_ = 0;
    void* data_ = nullptr;
};

}  // namespace lockstep::jit
