#pragma once
// The exception that both machines throw: a CUDA call failed, or the emulator detected an operation that is undefined
// on a GPU.

#include <stdexcept>

namespace lockstep::simt {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace lockstep::simt
