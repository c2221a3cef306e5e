// A lane's signals as reports: a division by zero, a stack that is full, an access that faults.

#include <csignal>
#include <string>

#include <unistd.h>

#include "harness/simt/emulator/instruction.hpp"
#include "harness/simt/hooks/checker.hpp"

namespace lockstep::simt::hooks {
namespace {

constexpr int caught[] = {SIGFPE, SIGSEGV, SIGBUS};
struct sigaction before[3];
stack_t stack_before;
alignas(16) char handler_stack[256 * 1024];  // the lane's own may be full

// The instruction is the lane's own, or its compiler's, so the runtime's state is whole and may be used.
void handle(int signal, siginfo_t* info, void* context) {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane == nullptr || active_checker == nullptr) {
        release_signals();  // the host's own: as without checks, when the instruction is repeated
        return;
    }
    std::uintptr_t const pc =
        emulator::instruction_of(context) + 1;  // like a return address, which is behind its instruction
    if (signal == SIGFPE) {
        active_checker->fail(*lane, Problem::division_by_zero,
                             "division by zero (or of the lowest integer by -1; a GPU continues with any value)", pc);
    }
    auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto const at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (reinterpret_cast<std::uintptr_t>(lane->block().fiber_of(*lane).stack()) - at <= page) {
        active_checker->fail(*lane, Problem::stack_overflow,
                             "stack overflow (a lane needs more than 256 KiB; a GPU's default is 1 KiB)", pc);
    }
    // The processor says no more where an instruction needs an aligned address.
    bool const is_known = info->si_code != SI_KERNEL;
    active_checker->fail(*lane, Problem::bad_address,
                         std::string("access to an address that is not mapped") + (is_known ? "" : ", or not aligned"),
                         pc);
}

}  // namespace

void catch_signals() {
    stack_t stack{};
    stack.ss_sp = handler_stack;
    stack.ss_size = sizeof handler_stack;
    sigaltstack(&stack, &stack_before);
    struct sigaction action {};
    action.sa_sigaction = handle;
    // The handler does not return but leaves by a jump, so the signal must not stay blocked.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (unsigned i = 0; i < 3; ++i) {
        sigaction(caught[i], &action, &before[i]);
    }
}

void release_signals() {
    for (unsigned i = 0; i < 3; ++i) {
        sigaction(caught[i], &before[i], nullptr);
    }
    sigaltstack(&stack_before, nullptr);
}

}  // namespace lockstep::simt::hooks
