#pragma once
// The instruction that a signal's handler interrupted.

#include <ucontext.h>

#include <cstdint>

namespace lockstep::simt::emulator {

// `context`: the handler's third argument. 0 on processors of other kinds.
inline std::uintptr_t instruction_of(void* context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<ucontext_t*>(context)->uc_mcontext.pc;
#else
    static_cast<void>(context);
    return 0;
#endif
}

}  // namespace lockstep::simt::emulator
