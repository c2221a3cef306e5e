#pragma once
// What an allocator of device memory tells the access checks: which bytes a kernel may touch, and which of them are
// set. The functions are weak: a program that is linked without `simt_hooks` calls nothing.
//
// An allocator aligns to `alignment` bytes, as cudaMalloc does, and leaves `redzone` unused bytes before and behind
// each allocation, so that an access outside one buffer does not land in the next. It keeps freed memory mapped and
// unused for a while, so that a later access is a use after free and not an access to another buffer.

#include <cstddef>

namespace lockstep::simt::hooks {

inline constexpr std::size_t alignment = 256;
inline constexpr std::size_t redzone = 256;

enum class Memory {
    device,    // cudaMalloc: unset until written
    managed,   // cudaMallocManaged, cudaMallocHost: the host writes it too, so every byte counts as set
    constant,  // __constant__ variables: a kernel must not write them
    variable,  // __device__ and __managed__ variables, which start as zeros or with their initializer
};

// False in a program that is linked with `simt_hooks` but has loaded no instrumented code (yet).
[[gnu::weak]] bool registers_memory();

// Registers [data, data + bytes). `name` is a variable's name or null, and must outlive the program's last report.
[[gnu::weak]] void allocated(void const* data, std::size_t bytes, Memory kind, char const* name);

// The `redzone` bytes before and behind the allocation that starts at `data` hold nothing, although they are data of
// the program: an access to them is a mistake.
[[gnu::weak]] void guarded(void const* data);

// Ends the registration of the allocation that starts at `data`. An address that is not one is ignored.
[[gnu::weak]] void freed(void const* data);

// The host has set these bytes (cudaMemcpy to the device, cudaMemset). Ordered before all later launches.
[[gnu::weak]] void written(void const* data, std::size_t bytes);

// The host has copied bytes within device memory: those whose source is unset are unset at the target too.
[[gnu::weak]] void copied(void const* target, void const* source, std::size_t bytes);

// Makes the bytes of a variable of the host known, which no kernel may access. `name` must outlive the last report.
[[gnu::weak]] void host_variable(void const* data, std::size_t bytes, char const* name);

// Lets the host access the allocation that contains the address, which came from cudaMalloc: Thrust's pointers refer to
// it in host code.
[[gnu::weak]] void opened(void const* data);

// Lets this host thread access all device memory (1), or no longer (-1): Thrust and CUB work on the host.
[[gnu::weak]] void library_works(int change);

// Declares a __shared__ variable of the running block, once per block or once per lane. Once a block has declared one,
// an access to its shared memory outside of all its variables is reported.
[[gnu::weak]] void shared_variable(void const* data, std::size_t bytes, char const* name);

// The same, for callers: no effect without `simt_hooks`.
inline bool wants_registration() { return registers_memory != nullptr && registers_memory(); }

inline void note_allocated(void const* data, std::size_t bytes, Memory kind, char const* name = nullptr) {
    if (wants_registration()) {
        allocated(data, bytes, kind, name);
    }
}
inline void note_guarded(void const* data) {
    if (wants_registration()) {
        guarded(data);
    }
}
inline void note_freed(void const* data) {
    if (wants_registration()) {
        freed(data);
    }
}
inline void note_written(void const* data, std::size_t bytes) {
    if (wants_registration()) {
        written(data, bytes);
    }
}
inline void note_copied(void const* target, void const* source, std::size_t bytes) {
    if (wants_registration()) {
        copied(target, source, bytes);
    }
}
inline void note_host_variable(void const* data, std::size_t bytes, char const* name) {
    if (wants_registration()) {
        host_variable(data, bytes, name);
    }
}
inline void note_opened(void const* data) {
    if (wants_registration()) {
        opened(data);
    }
}
inline void note_shared_variable(void const* data, std::size_t bytes, char const* name) {
    if (wants_registration()) {
        shared_variable(data, bytes, name);
    }
}

// Exists while Thrust or CUB does a device's work on the host.
class LibraryWork {
public:
    LibraryWork() : noted_(wants_registration()) { note(1); }
    ~LibraryWork() { note(-1); }
    LibraryWork(LibraryWork const&) = delete;
    LibraryWork& operator=(LibraryWork const&) = delete;

private:
    void note(int change) const {
        if (noted_) {
            library_works(change);
        }
    }
    bool noted_;
};

}  // namespace lockstep::simt::hooks
