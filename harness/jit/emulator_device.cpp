// The emulator as a device: kernels are functions of a shared object, built with the machine's C++ compiler and the
// sanitizer of this build. They call the emulator's runtime in this program.

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>

#include "harness/jit/compiler.hpp"
#include "harness/jit/device.hpp"
#include "harness/jit/faults.hpp"
#include "harness/jit/header_folder.hpp"
#include "harness/jit/shared_object.hpp"
#include "harness/simt/device_headers.hpp"
#include "harness/simt/emulator/launch.hpp"
#include "harness/simt/emulator/options.hpp"

namespace lockstep::jit {

namespace {

std::vector<simt::EmbeddedText> all_headers(KernelContext const& context) {
    std::vector<simt::EmbeddedText> headers;
    for (auto const& part : {simt::device_headers(), simt::emulator_headers(), context.headers})
        headers.insert(headers.end(), part.begin(), part.end());
    return headers;
}

std::vector<std::string> options(KernelContext const& context) {
    std::vector<std::string> options = {
        "-std=c++20", "-O0", "-fno-finite-loops", "-fwrapv", "-fPIC",
        "-shared",    "-w",  "-ffp-contract=off", "-I",      header_folder(context.cache_name, all_headers(context))};
    options.insert(options.end(), std::begin(line_options), std::end(line_options));
    if (context.checks_bounds) {
        std::vector<std::string> const checks = bounds_options();
        options.insert(options.end(), checks.begin(), checks.end());
    }
#if defined(LOCKSTEP_SANITIZER_OPTIONS)
    std::istringstream words(LOCKSTEP_SANITIZER_OPTIONS);
    options.insert(options.end(), std::istream_iterator<std::string>(words), {});
#endif
    return options;
}

class EmulatorDevice : public Device {
public:
    simt::Machine machine() const override { return simt::Machine::emulator; }
    std::string name() const override { return "emulator"; }

    std::uint64_t free_memory() const override {
        return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
    }

    void* allocate(std::size_t bytes) override { return std::malloc(bytes); }
    void release(void* memory) noexcept override { std::free(memory); }
    void upload(void* to, void const* from, std::size_t bytes) override { copy(to, from, bytes); }
    void download(void* to, void const* from, std::size_t bytes) override { copy(to, from, bytes); }
    void copy(void* to, void const* from, std::size_t bytes) override {
        if (bytes != 0)
            std::memcpy(to, from, bytes);
    }
    void fill(void* to, unsigned char byte, std::size_t bytes) override {
        if (bytes != 0)
            std::memset(to, byte, bytes);
    }

    void launch(std::string const& name, void* kernel, simt::LaunchShape const& shape, void const* arguments) override {
        // Starting a thread takes longer than a small launch, and a run has thousands of small launches.
        simt::emulator::Options options = simt::emulator::options();
        if (options.threads == 0 && !shape.cooperative && shape.grid.count() * shape.block.count() <= small_launch)
            options.threads = 1;
        options.catches_faults = true;
        simt::emulator::ScopedOptions const scope(options);
        FaultHandlers const handlers;
        simt::emulator::run_launch(name.c_str(), shape, reinterpret_cast<void (*)(void*)>(kernel),
                                   const_cast<void*>(arguments));
    }
    // Models a small device. Cooperative blocks run interleaved, so more of them would not make a test stronger.
    unsigned resident_blocks(void*, simt::LaunchShape const&) override { return 8; }
    simt::KernelAttributes attributes(std::string const& name, void*, simt::LaunchShape const& shape) override {
        simt::KernelAttributes attributes;
        attributes.name = name;
        attributes.grid = shape.grid;
        attributes.block = shape.block;
        return attributes;
    }
    void synchronize() override {}
    void store_aside(unsigned* to, unsigned value) override { std::atomic_ref(*to).store(value); }

    std::size_t mark() override { return marks_++; }
    double seconds_between(std::size_t, std::size_t) override { return 0; }
    void forget_marks() override { marks_ = 0; }

protected:
    Kernels compile(KernelText const& text, KernelContext const& context) override {
        std::string const path = shared_object("#define LOCKSTEP_EMULATOR 1\n" + text.text, options(context), context);
        Kernels kernels;
        for (std::string const& entry : text.entries)
            kernels[entry] = symbol_in(path, lane_symbol(text, entry));
        return kernels;
    }

private:
    static constexpr std::uint64_t small_launch = 4096;  // lanes

    std::size_t marks_ = 0;
};

}  // namespace

Device& emulator_device() {
    static EmulatorDevice device;
    return device;
}

}  // namespace lockstep::jit
