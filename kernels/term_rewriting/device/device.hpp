#pragma once
// A machine that runs kernels made at run time: a GPU, by NVRTC, or the emulator, by the system's C++ compiler. Memory,
// copies and launches are in the order in which they are asked for; download() and synchronize() wait for all of them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/simt/machine.hpp"
#include "kernels/term_rewriting/device/kernel_text.hpp"

namespace lockstep::term_rewriting {

// Kernels of one text by name. They stay loaded.
using Kernels = std::map<std::string, void*>;

// Kernels that were compiled with this build: those of the paper's systems.
struct BuiltInKernels {
    unsigned long long digest;  // of the text
    simt::Machine machine;
    Kernels kernels;
};
std::vector<BuiltInKernels> const& built_in_kernels();

class Device {
public:
    virtual ~Device() = default;

    virtual simt::Machine machine() const = 0;
    virtual std::string name() const = 0;
    // Bytes that can be allocated now.
    virtual std::uint64_t free_memory() const = 0;

    // Null where there is no room. Contents are unset.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;
    // The source may change as soon as this returns.
    virtual void upload(void* to, void const* from, std::size_t bytes) = 0;
    virtual void download(void* to, void const* from, std::size_t bytes) = 0;
    virtual void copy(void* to, void const* from, std::size_t bytes) = 0;
    virtual void fill(void* to, unsigned char byte, std::size_t bytes) = 0;

    // Compiled with this build, taken from the cache, or compiled now. Throws bench::Error where it cannot be.
    Kernels const& load(KernelText const& text);
    // `arguments` is the kernel's struct, read before this returns. Throws simt::Error.
    virtual void launch(std::string const& name, void* kernel, simt::LaunchShape const& shape,
                        void const* arguments) = 0;
    // Blocks of that shape that can be resident at once on the whole device: what a cooperative launch may have.
    virtual unsigned resident_blocks(void* kernel, simt::LaunchShape const& shape) = 0;
    virtual simt::KernelAttributes attributes(std::string const& name, void* kernel,
                                              simt::LaunchShape const& shape) = 0;
    virtual void synchronize() = 0;
    // A word that kernels under way read by load_relaxed(), from any thread and out of the order of other work. There
    // once this returns.
    virtual void store_aside(unsigned* to, unsigned value) = 0;
    // Whether a thread that waits for the device sleeps, a little longer than it has to, or keeps its core busy.
    virtual void wait_patiently(bool patiently) { static_cast<void>(patiently); }

    // Marks in the order of work, and the seconds between two of them; marks are numbered from 0 after forget_marks().
    // The emulator has no times.
    virtual std::size_t mark() = 0;
    virtual double seconds_between(std::size_t first, std::size_t last) = 0;
    virtual void forget_marks() = 0;

protected:
    virtual Kernels compile(KernelText const& text) = 0;

private:
    std::map<std::string, Kernels> loaded_;
};

// The one device of that machine in this program, opened at the first call: that makes the context. Throws bench::Error
// where there is none, and says why.
Device& device_of(simt::Machine machine);

// Each in a file of its own.
Device& emulator_device();
Device& cuda_device();

// Sleeps in this scope's waits, where it is wanted.
class PatientWaits {
public:
    PatientWaits(Device& device, bool wanted) : device_(device) { device_.wait_patiently(wanted); }
    ~PatientWaits() { device_.wait_patiently(false); }
    PatientWaits(PatientWaits const&) = delete;
    PatientWaits& operator=(PatientWaits const&) = delete;

private:
    Device& device_;
};

// Device memory that is given back.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    // `data()` is null where there was no room.
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

}  // namespace lockstep::term_rewriting
