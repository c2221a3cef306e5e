#pragma once
// What a translated program begins with: CUDA's declarations, and what the translation itself uses.

#include <cmath>

// nvcc compiles as C++17, where programs have a `lerp` of their own; the math.h of C++20 declares one by `using`.
#define lerp fabs  // which it declares, too
#include <math.h>
#undef lerp

#include <type_traits>

#include "harness/simt/cuda_api/cuda_runtime.hpp"
#include "harness/simt/emulator/shared_variables.hpp"
#include "harness/simt/hooks/memory.hpp"

// Bytes that hold nothing, before and behind each variable in device memory, so that an index beyond its end meets no
// other variable. The compiler puts a variable into a section that depends on its initializer (and `static` ones
// without one into a part of .bss of their own), so each of these gets a guard. g++ keeps the order of such statements
// and of variables with `no_reorder`. Counters are those of a GPU, where neighbours share sectors, so there are no
// guards.
#if defined(LOCKSTEP_SIMT_HOOKS) && !defined(LOCKSTEP_WHOLE_VECTORS) && !defined(__clang__)
#define LOCKSTEP_HAS_GUARDS
#define LOCKSTEP_GUARD_OF(section) ".pushsection " section "\n.zero 256\n.popsection\n"
#define LOCKSTEP_GUARD                                                                                                \
    asm(LOCKSTEP_GUARD_OF(".bss") LOCKSTEP_GUARD_OF(".bss,1") LOCKSTEP_GUARD_OF(".data") LOCKSTEP_GUARD_OF(".rodata") \
            LOCKSTEP_GUARD_OF(".data.rel,\"aw\"") LOCKSTEP_GUARD_OF(".data.rel.local,\"aw\"")                         \
                LOCKSTEP_GUARD_OF(".data.rel.ro,\"aw\"") LOCKSTEP_GUARD_OF(".data.rel.ro.local,\"aw\""));
#define LOCKSTEP_GUARDED LOCKSTEP_GUARD __attribute__((no_reorder))
static_assert(lockstep::simt::hooks::redzone == 256);
#else
#define LOCKSTEP_GUARD
#define LOCKSTEP_GUARDED
#endif

namespace lockstep::simt::emulate {

// Tells the access checks of a variable in device memory.
template <class T>
bool register_variable(T const volatile& variable, bool constant, char const* name) {
    hooks::note_allocated(const_cast<T const*>(&variable), sizeof variable,
                          constant ? hooks::Memory::constant : hooks::Memory::variable, name);
    return true;
}

// The same for one between two guards.
template <class T>
bool register_guarded_variable(T const volatile& variable, bool constant, char const* name) {
    register_variable(variable, constant, name);
#if defined(LOCKSTEP_HAS_GUARDS)
    hooks::note_guarded(const_cast<T const*>(&variable));
#endif
    return true;
}

// Tells them of a variable of the host.
template <class T>
bool register_host_variable(T const volatile& variable, char const* name) {
    hooks::note_host_variable(const_cast<T const*>(__builtin_addressof(variable)), sizeof variable, name);
    return true;
}

// The type of a local constant, if counters are compared with those of a GPU: the compiler splits a variable of a
// class, so that members that are not used are not loaded, only if it is no constant.
template <class T>
using LocalConstant = std::conditional_t<std::is_class_v<T>, T, T const>;

}  // namespace lockstep::simt::emulate

// Empty by the compiler's options, for files that do not include this header.
#undef LOCKSTEP_OF_HOST
#define LOCKSTEP_OF_HOST(name)                                   \
    [[maybe_unused]] static bool const lockstep_of_host_##name = \
        ::lockstep::simt::emulate::register_host_variable(name, #name);

#if defined(LOCKSTEP_WHOLE_VECTORS)
#undef LOCKSTEP_CONSTANT
#define LOCKSTEP_CONSTANT(...) lockstep::simt::emulate::LocalConstant<__VA_ARGS__>
#endif

// The text of a kernel's name in a launch, also where the name is a macro's parameter.
#define LOCKSTEP_TEXT_OF(...) #__VA_ARGS__
