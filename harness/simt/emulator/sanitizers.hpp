#pragma once
// The emulator's annotations for the sanitizers: the stack on which a lane runs, the fact that each lane is a separate
// thread to ThreadSanitizer, and the operations that order lanes. The calls are empty if the sanitizer is off. The
// scheduler is built without -fsanitize=thread, so the macro LOCKSTEP_THREAD_SANITIZER indicates that the kernels are
// built with it.

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(LOCKSTEP_ADDRESS_SANITIZER)  // clang defines only the second
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(LOCKSTEP_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace lockstep::simt::emulator::sanitizers {

#if defined(LOCKSTEP_THREAD_SANITIZER)
inline constexpr bool threads = true;
inline void* create_fiber() { return __tsan_create_fiber(0); }
inline void destroy_fiber(void* fiber) { __tsan_destroy_fiber(fiber); }
inline void* current_fiber() { return __tsan_get_current_fiber(); }
// Reports name the fiber.
inline void name_fiber(char const* name) { __tsan_set_fiber_name(__tsan_get_current_fiber(), name); }
// Flag 1: switching does not synchronise. With 0, every switch would order the lanes and hide races.
inline void switch_to_fiber(void* fiber) { __tsan_switch_to_fiber(fiber, 1); }
inline void acquire(void* address) { __tsan_acquire(address); }
inline void release(void* address) { __tsan_release(address); }
#else
inline constexpr bool threads = false;
inline void* create_fiber() { return nullptr; }
inline void destroy_fiber(void*) {}
inline void* current_fiber() { return nullptr; }
inline void name_fiber(char const*) {}
inline void switch_to_fiber(void*) {}
inline void acquire(void*) {}
inline void release(void*) {}
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(LOCKSTEP_ADDRESS_SANITIZER)
inline void start_switch(void** save, void const* bottom, std::size_t size) {
    __sanitizer_start_switch_fiber(save, bottom, size);
}
inline void finish_switch(void* saved, void const** bottom, std::size_t* size) {
    __sanitizer_finish_switch_fiber(saved, bottom, size);
}
#else
inline void start_switch(void**, void const*, std::size_t) {}
inline void finish_switch(void*, void const**, std::size_t*) {}
#endif

}  // namespace lockstep::simt::emulator::sanitizers
