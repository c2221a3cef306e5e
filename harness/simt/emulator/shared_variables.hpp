#pragma once
// `__shared__` variables of CUDA programs that were not written for the emulator: each lane asks for its block's copy
// of a variable by the variable's number. The first lane of a block that asks places the variable behind those that
// were placed before, as nvcc does in the order of their declarations. Dynamic shared memory (`extern __shared__`) is
// at the start, as CUDA aligns it, and the variables behind it.

#include <cstddef>
#include <source_location>

#include "harness/simt/emulator/runtime.hpp"

namespace lockstep::simt::emulator {

// The static shared memory of one kernel (CUDA C++ Programming Guide, technical specifications).
inline constexpr std::size_t max_static_shared_bytes = 48 * 1024;

// Whether launches from now on leave a gap before each variable, so that checks find an index beyond the end of
// another. nvcc leaves none, and joins accesses to neighbouring variables.
void keep_shared_variables_apart(bool apart);

// Registers a variable before the program's first launch and returns its number.
unsigned add_shared_variable(std::size_t bytes, std::size_t alignment);

// The shared bytes of a launch that has `dynamic` bytes of dynamic shared memory and any of the registered variables.
std::size_t shared_bytes_with_variables(std::size_t dynamic);

// The address of the calling lane's copy. Refuses if the kernel's variables need more than a kernel may have.
void* shared_variable(unsigned number, std::size_t bytes, std::size_t alignment, char const* name,
                      std::source_location site);

// Is called on a lane that has placed a variable of its block, with the bytes of all that are placed, without those
// between them. It may refuse.
using TellStaticBytes = void (*)(std::size_t bytes);
void tell_static_bytes(TellStaticBytes tell);

// The start of the block's dynamic shared memory.
void* dynamic_shared_variable(char const* name);

// What dynamic_shared_variable() returns in a launch without any shared memory: addresses without memory, which the
// checks know.
inline constexpr std::size_t empty_shared_bytes = 1 << 20;
std::byte* empty_shared_memory();

// One variable per declaration (`Tag` is a type that is local to it) and per instantiation of a template.
// The alignment is not that of `T` if the declaration asks for another.
template <class T, class Tag, std::size_t alignment = alignof(T)>
struct SharedVariable {
    static inline unsigned const number = add_shared_variable(sizeof(T), alignment);
};

template <class T, class Tag, std::size_t alignment = alignof(T)>
T& static_shared(char const* name, std::source_location site = std::source_location::current()) {
    unsigned const number = SharedVariable<T, Tag, alignment>::number;
    return *static_cast<T*>(shared_variable(number, sizeof(T), alignment, name, site));
}

// `T` is an array of unknown bound.
template <class T>
T& dynamic_shared(char const* name) {
    return *static_cast<T*>(dynamic_shared_variable(name));
}

}  // namespace lockstep::simt::emulator
