#pragma once
// The one exception of the two machines: a failed CUDA call, or something that a GPU leaves undefined and the emulator
// refuses.

#include <stdexcept>

namespace lockstep::simt {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace lockstep::simt
