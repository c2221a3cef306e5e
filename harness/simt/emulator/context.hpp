#pragma once
// What is saved of a stack while another one runs, and the switch between two. Boost.Context switches in 5 ns if it is
// installed, otherwise ucontext does, which makes a system call. Each switch is reported to the sanitizers.
//
// The layout does not depend on what switches, because code that is compiled without Boost includes this header, too.

#include <cstddef>

namespace lockstep::simt::emulator {

class Context {
public:
    Context() = default;
    Context(Context const&) = delete;
    Context& operator=(Context const&) = delete;

    // Saves this context, which is running, and continues `next`. Returns when a context switches to this one.
    void switch_to(Context& next);

protected:
    // Both on the stack of `from` while it switches.
    struct Switch {
        Context& from;
        Context& to;
    };
    void leave_for(Context& next);
    void arrive_from(Context& previous);
    static void keep(Context& context, void* saved) { context.saved_ = saved; }

    void* saved_ = nullptr;       // the first member, where a debugger finds it (harness/simt/gdb/lanes.py)
    void* thread_ = nullptr;      // ThreadSanitizer's view of the context
    void* fake_stack_ = nullptr;  // AddressSanitizer's, of its stack
    void const* bottom_ = nullptr;
    std::size_t size_ = 0;
};

// The context of a CPU thread, from which it enters fibers.
class HomeContext : public Context {
public:
    // Called on the CPU thread before it enters a fiber.
    void begin();
};

}  // namespace lockstep::simt::emulator
