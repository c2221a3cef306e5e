#pragma once
// A call of the runtime API whose result a program discards: the translation (harness/simt/emulate/discarded_calls.cpp)
// makes `(LOCKSTEP_DISCARDED("cudaFree") cudaFree(p));` of `cudaFree(p);`. If the call fails, and the program does not
// ask for an error later, the failure is told when the program ends.

#include "harness/simt/cuda_api/error_codes.hpp"
#include "harness/simt/cuda_api/site.hpp"

namespace lockstep::simt::cuda {

class Discarded {
public:
    explicit Discarded(char const* call, LOCKSTEP_HERE);
    ~Discarded();
    Discarded(Discarded const&) = delete;
    Discarded& operator=(Discarded const&) = delete;

    friend void operator,(Discarded const& call, cudaError_t error) { call.note(error); }

private:
    void note(cudaError_t error) const;

    char const* call_;
    Site site_;
};

}  // namespace lockstep::simt::cuda

// Empty by the compiler's options, for files that do not include this header.
#undef LOCKSTEP_DISCARDED
#define LOCKSTEP_DISCARDED(call) ::lockstep::simt::cuda::Discarded(call),
