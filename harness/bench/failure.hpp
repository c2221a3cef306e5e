#pragma once
// What a failed call of CUDA or of an allocation means to a user.

#include <exception>
#include <string>
#include <string_view>

namespace lockstep::bench {

enum class Failure {
    of_the_work,  // anything else
    memory,       // of the host or of the device
    lost_device,  // every later call of this process fails, too: Xid errors, and faults of a kernel
};

// Of the text of an exception, in which harness/simt/cuda/check.hpp names CUDA's error.
Failure failure_of(std::string_view message);

// The text of an exception as *problem (why) suggestion*, if it is of memory or of a lost device; otherwise as it is.
std::string explained(std::exception const& error);

}  // namespace lockstep::bench
