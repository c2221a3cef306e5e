#pragma once
// The definition of Context::switch_to, for the emulator's own sources.

#include "harness/simt/emulator/context.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

#if defined(__x86_64__)
#define LOCKSTEP_OWN_SWITCH 1
#elif defined(LOCKSTEP_BOOST_CONTEXT)
// The functions under boost::context::fiber, which would move each saved context through three objects.
#include <boost/context/detail/fcontext.hpp>
#else
#include <ucontext.h>
#endif

#if defined(LOCKSTEP_OWN_SWITCH)
// Saves the registers that a call preserves on the stack and the stack's pointer in *saved, continues the context of
// `next`, and returns there what is given here as `from` (fiber.cpp).
extern "C" void* lockstep_switch_stack(void** saved, void* next, void* from);
#endif

namespace lockstep::simt::emulator {

inline void Context::leave_for(Context& next) {
    sanitizers::start_switch(&fake_stack_, next.bottom_, next.size_);
    sanitizers::switch_to_fiber(next.thread_);
}

inline void Context::arrive_from(Context& previous) {
    sanitizers::finish_switch(fake_stack_, &previous.bottom_, &previous.size_);
}

inline void HomeContext::begin() { thread_ = sanitizers::current_fiber(); }

#if defined(LOCKSTEP_OWN_SWITCH)

inline void Context::switch_to(Context& next) {
    leave_for(next);
    auto* const previous = static_cast<Context*>(lockstep_switch_stack(&saved_, next.saved_, this));
    arrive_from(*previous);
}

#elif defined(LOCKSTEP_BOOST_CONTEXT)

inline void Context::switch_to(Context& next) {
    Switch to_next{*this, next};
    leave_for(next);
    auto const back = boost::context::detail::jump_fcontext(next.saved_, &to_next);
    Context& previous = static_cast<Switch*>(back.data)->from;
    previous.saved_ = back.fctx;
    arrive_from(previous);
}

#else

// The context that switched last on this CPU thread.
inline thread_local constinit Context* switched_from = nullptr;

inline void Context::switch_to(Context& next) {
    ucontext_t here;
    saved_ = &here;
    leave_for(next);
    switched_from = this;
    swapcontext(&here, static_cast<ucontext_t*>(next.saved_));
    arrive_from(*switched_from);
}

#endif

}  // namespace lockstep::simt::emulator
