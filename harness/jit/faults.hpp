#pragma once
// Faults of a user's code, which runs in this process: signals that its instructions raise become errors.

#include <csetjmp>
#include <cstdint>
#include <string>

#include "harness/bench/error.hpp"
#include "harness/jit/user_errors.hpp"
#include "harness/simt/handler_stack.hpp"

namespace lockstep::jit {

// A signal that the code raised: an address that is not mapped, a stack that is full, a division by zero.
struct Fault {
    int signal;
    std::uintptr_t instruction;
};

// The fault in the words of the file's author, with the line if the code was compiled with line_options and addr2line
// is installed. `remedy`: what to do about a wrong address, by default to correct the file.
bench::Error fault_error_of(UserFile const& file, Fault const& fault, std::string const& remedy = {});

// While one exists, a fault within catching_faults() leaves it, and one of a lane of the emulator ends the launch with
// an exception. Signals that are sent, and faults elsewhere, do what they did before.
class FaultHandlers {
public:
    FaultHandlers();
    FaultHandlers(FaultHandlers const&) = delete;
    FaultHandlers& operator=(FaultHandlers const&) = delete;
    ~FaultHandlers();
};

// Where a thread goes on after a fault of the code that it runs; else null.
struct FaultExit {
    sigjmp_buf place;
    std::uintptr_t volatile instruction = 0;
};
inline thread_local FaultExit* fault_exit = nullptr;

// Calls work(), which calls the code. Throws Fault, and what work() throws. Precondition: FaultHandlers exist, and
// work() has nothing to destroy while it is in the code.
template <class Work>
void catching_faults(Work const& work) {
    struct Reset {
        ~Reset() { fault_exit = nullptr; }
    };
    simt::HandlerStack const stack;
    Reset const reset;
    FaultExit exit;
    if (int const signal = sigsetjmp(exit.place, 0); signal != 0)
        throw Fault{signal, exit.instruction};
    fault_exit = &exit;
    work();
}

}  // namespace lockstep::jit
