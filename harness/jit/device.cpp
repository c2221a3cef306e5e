#include "harness/jit/device.hpp"

#include "harness/bench/error.hpp"
#include "harness/jit/text_digest.hpp"

namespace lockstep::jit {

namespace {

// Null if the text is not compiled with this build.
BuiltInKernels const* built_in_kernels(KernelText const& text, KernelContext const& context,
                                       simt::Machine const machine) {
    unsigned long long const digest = text_digest(text.text);
    for (BuiltInKernels const& built_in : context.built_in) {
        if (built_in.digest == digest && built_in.machine == machine)
            return &built_in;
    }
    return nullptr;
}

}  // namespace

Kernels const& Device::load(KernelText const& text, KernelContext const& context) {
    if (auto const found = loaded_.find(text.text); found != loaded_.end())
        return found->second;
    if (BuiltInKernels const* const built_in = built_in_kernels(text, context, machine()))
        return loaded_[text.text] = built_in->kernels;
    Kernels kernels = compile(text, context);
    return loaded_[text.text] = std::move(kernels);
}

void Device::compile_ahead(KernelText const& text, KernelContext const& context) const {
    if (built_in_kernels(text, context, machine()) == nullptr)
        compile_to_cache(text, context);
}

Device& device_of(simt::Machine machine) {
    if (machine == simt::Machine::emulator)
        return emulator_device();
    if (machine == simt::Machine::cuda)
        return cuda_device();
    throw bench::Error("no device", "the CPU does not run kernels", "Try --machine emulator.");
}

}  // namespace lockstep::jit
