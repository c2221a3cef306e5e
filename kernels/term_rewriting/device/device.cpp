#include "kernels/term_rewriting/device/device.hpp"

#include "baselines/term_rewriting/compiled/shared_object.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

Kernels const& Device::load(KernelText const& text) {
    if (auto const found = loaded_.find(text.text); found != loaded_.end())
        return found->second;
    unsigned long long const digest = compiled::text_digest(text.text);
    for (BuiltInKernels const& built_in : built_in_kernels()) {
        if (built_in.digest == digest && built_in.machine == machine())
            return loaded_[text.text] = built_in.kernels;
    }
    Kernels kernels = compile(text);
    return loaded_[text.text] = std::move(kernels);
}

Device& device_of(simt::Machine machine) {
    if (machine == simt::Machine::emulator)
        return emulator_device();
    if (machine == simt::Machine::cuda)
        return cuda_device();
    throw bench::Error("no device", "the CPU runs no kernels", "Try --machine emulator.");
}

}  // namespace lockstep::term_rewriting
