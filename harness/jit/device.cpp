#include "harness/jit/device.hpp"

#include "harness/bench/error.hpp"
#include "harness/jit/text_digest.hpp"

namespace lockstep::jit {

Kernels const& Device::load(KernelText const& text, KernelContext const& context) {
    if (auto const found = loaded_.find(text.text); found != loaded_.end())
        return found->second;
    unsigned long long const digest = text_digest(text.text);
    for (BuiltInKernels const& built_in : context.built_in) {
        if (built_in.digest == digest && built_in.machine == machine())
            return loaded_[text.text] = built_in.kernels;
    }
    Kernels kernels = compile(text, context);
    return loaded_[text.text] = std::move(kernels);
}

Device& device_of(simt::Machine machine) {
    if (machine == simt::Machine::emulator)
        return emulator_device();
    if (machine == simt::Machine::cuda)
        return cuda_device();
    throw bench::Error("no device", "the CPU runs no kernels", "Try --machine emulator.");
}

}  // namespace lockstep::jit
