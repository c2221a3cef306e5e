#include "harness/bench/failure.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

namespace lockstep::bench {

namespace {

bool names_one_of(std::string_view const message, auto const& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view const name) { return message.find(name) != std::string_view::npos; });
}

constexpr std::array<std::string_view, 2> memory_errors = {"cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY"};

// Those after which CUDA's documentation says that the process must end.
constexpr std::array<std::string_view, 15> lasting_errors = {
    "cudaErrorAssert",
    "cudaErrorContained",
    "cudaErrorDevicesUnavailable",
    "cudaErrorDeviceUninitialized",
    "cudaErrorECCUncorrectable",
    "cudaErrorExternalDevice",
    "cudaErrorHardwareStackError",
    "cudaErrorIllegalAddress",
    "cudaErrorIllegalInstruction",
    "cudaErrorInvalidAddressSpace",
    "cudaErrorInvalidPc",
    "cudaErrorLaunchFailure",
    "cudaErrorLaunchTimeout",
    "cudaErrorMisalignedAddress",
    "cudaErrorNvlinkUncorrectable",
};

}  // namespace

Failure failure_of(std::string_view const message) {
    if (names_one_of(message, memory_errors))
        return Failure::memory;
    return names_one_of(message, lasting_errors) ? Failure::lost_device : Failure::of_the_work;
}

std::string explained(std::exception const& error) {
    if (dynamic_cast<std::bad_alloc const*>(&error) != nullptr ||
        dynamic_cast<std::length_error const*>(&error) != nullptr)
        return "out of memory (an allocation failed) run a smaller job or raise the limit ulimit -v";
    std::string const what = error.what();
    switch (failure_of(what)) {
        case Failure::memory:
            return "out of device memory (" + what + ") run a smaller job, or end other programs that nvidia-smi lists";
        case Failure::lost_device:
            return "the GPU failed (" + what + ") look for Xid errors in nvidia-smi -q and dmesg, and run it again";
        case Failure::of_the_work:
            break;
    }
    return what;
}

}  // namespace lockstep::bench
