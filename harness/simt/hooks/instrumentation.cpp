// What the compiler calls under -fsanitize=thread and -fsanitize-coverage=trace-pc, in place of ThreadSanitizer's
// runtime; and the C library's memory functions, which the linker sends here (--wrap). Host code is instrumented as
// well, because a .cu file holds both: its accesses mark device memory as set, and are found where they may not be.

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/simt/hooks/checker.hpp"
#include "harness/simt/hooks/host_access.hpp"

namespace lockstep::simt::hooks {
namespace {

void plain(void const* at, std::size_t bytes, bool is_write, Kind kind, void* pc, bool is_latest = false) {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane == nullptr) {
        if (is_write && registry != nullptr) {
            registry->host_writes(reinterpret_cast<Address>(at), bytes);
        }
        check_host_access({reinterpret_cast<Address>(at), bytes, is_write, kind, reinterpret_cast<std::uintptr_t>(pc)});
    } else if (active_checker != nullptr) {
        active_checker->access(*lane, {reinterpret_cast<Address>(at), bytes, is_write, kind,
                                       reinterpret_cast<std::uintptr_t>(pc), false, is_latest});
    }
}

void range(void const* at, std::size_t bytes, bool is_write, void* pc) {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane == nullptr) {
        if (bytes != 0) {
            plain(at, bytes, is_write, Kind::plain, pc);
        }
    } else if (active_checker != nullptr) {
        active_checker->access_range(
            *lane, {reinterpret_cast<Address>(at), bytes, is_write, Kind::plain, reinterpret_cast<std::uintptr_t>(pc)});
    }
}

bool has_acquire(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
bool has_release(int order) { return order >= __ATOMIC_RELEASE; }

// Checks an atomic before it happens.
template <class T>
void before_atomic(T const volatile* at, bool is_write, bool is_update, int order, void* pc, bool is_exchange = false) {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane != nullptr && active_checker != nullptr) {
        Access const access{reinterpret_cast<Address>(at),        sizeof(T), is_write, Kind::atomic,
                            reinterpret_cast<std::uintptr_t>(pc), is_update, false,    is_exchange};
        active_checker->access(*lane, access);
        active_checker->begin_atomic(*lane, access, order);
    }
}

// Orders the lane by it afterwards. Only the running lane sees the moment between.
template <class T>
void after_atomic(T const volatile* at, bool is_update, bool writes, int order, void* pc) {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane != nullptr && active_checker != nullptr) {
        auto const address = reinterpret_cast<Address>(at);
        if (is_update || !writes) {
            active_checker->acquire(*lane, address, has_acquire(order));
        }
        if (writes) {
            active_checker->release(*lane, address, has_release(order), is_update);
        }
        active_checker->end_atomic(
            *lane, {address, sizeof(T), writes, Kind::atomic, reinterpret_cast<std::uintptr_t>(pc), is_update}, order);
    }
}

// Of a type that is aligned to its size, at least up to 8 bytes: the compiler calls another function otherwise.
void aligned(void* at, std::size_t bytes, bool is_write, void* pc) {
    auto const address = reinterpret_cast<Address>(at);
    std::size_t const alignment = bytes < 8 ? bytes : 8;
    emulator::Lane* const lane = emulator::current_lane;
    if (address % alignment != 0 && lane != nullptr && active_checker != nullptr) {
        active_checker->misaligned(*lane, {address, bytes, is_write, Kind::plain, reinterpret_cast<std::uintptr_t>(pc)},
                                   std::to_string(bytes) + " bytes", alignment);
    }
    plain(at, bytes, is_write, Kind::plain, pc);
}

// What -fsanitize=alignment passes of an access: GCC's and Clang's layout.
struct TypeMismatch {
    char const* file;
    std::uint32_t line, column;
    char const* type;  // two words of 16 bits, then its name in quotes, such as 'const struct float4'
    unsigned char log_alignment;
    enum : unsigned char { load, store, reference } access;  // greater values use no memory
};

void mismatch(TypeMismatch const& found, std::uintptr_t const at, void* pc) {
    emulator::Lane* const lane = emulator::current_lane;
    // A GPU needs no more than this, also for types that ask for more.
    std::size_t const alignment = std::min<std::size_t>(std::size_t{1} << found.log_alignment, 16);
    if (at % alignment == 0 || lane == nullptr || active_checker == nullptr) {
        return;
    }
    std::string_view type = found.type + 2 * sizeof(std::uint16_t);
    // A copy begins with a reference to the whole constant object. Other references and members may be read in parts.
    if (found.access > TypeMismatch::reference ||
        (found.access == TypeMismatch::reference && !type.starts_with("'const "))) {
        return;
    }
    for (std::string_view const word : {"'", "const ", "volatile ", "struct ", "union "}) {
        type.remove_prefix(type.starts_with(word) ? word.size() : 0);
    }
    type = type.substr(0, type.find('\''));
    active_checker->misaligned(
        *lane, {at, 1, found.access == TypeMismatch::store, Kind::plain, reinterpret_cast<std::uintptr_t>(pc)},
        "an object of type " + std::string(type), alignment);
}

void access_volatile(void* at, std::size_t bytes, bool is_write, void* pc) {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane != nullptr && active_checker != nullptr && !is_write) {
        active_checker->poll(*lane, reinterpret_cast<Address>(at));
    }
    plain(at, bytes, is_write, Kind::is_volatile, pc);
    if (lane == nullptr || active_checker == nullptr) {
        return;
    }
    if (is_write) {
        active_checker->release(*lane, reinterpret_cast<Address>(at), false, false);
    } else {
        active_checker->acquire(*lane, reinterpret_cast<Address>(at), false);
    }
}

void enter(void* return_address, void* here) {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane != nullptr && active_checker != nullptr) {
        active_checker->enter(*lane, reinterpret_cast<std::uintptr_t>(return_address),
                              reinterpret_cast<std::uintptr_t>(here));
    }
}

void leave() {
    emulator::Lane* const lane = emulator::current_lane;
    if (lane != nullptr && active_checker != nullptr) {
        active_checker->leave(*lane);
    }
}

// The C library's own function: if this program is linked with --wrap, its name means the one below.
template <class Function>
Function* of_library(char const* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

constinit bool registering = false;

bool registers_memory() { return registering; }

}  // namespace lockstep::simt::hooks

// NOLINTBEGIN: the compilers' names and signatures.
#define HERE __builtin_return_address(0)
using lockstep::simt::hooks::Kind;
namespace hooks = lockstep::simt::hooks;

extern "C" {

// Every instrumented file calls it before its variables are initialised.
void __tsan_init() { hooks::registering = true; }
void __tsan_func_entry(void* return_address) { hooks::enter(return_address, HERE); }
void __tsan_func_exit() { hooks::leave(); }
void __ubsan_handle_type_mismatch_v1(hooks::TypeMismatch const* found, std::uintptr_t at) {
    hooks::mismatch(*found, at, HERE);
}
void __tsan_vptr_update(void** at, void*) { hooks::plain(at, sizeof *at, true, Kind::plain, HERE); }
void __tsan_vptr_read(void** at) { hooks::plain(at, sizeof *at, false, Kind::plain, HERE); }
void __tsan_read_range(void* at, std::size_t bytes) { hooks::range(at, bytes, false, HERE); }
void __tsan_write_range(void* at, std::size_t bytes) { hooks::range(at, bytes, true, HERE); }

#define ACCESS(name, bytes)                                                                                 \
    void __tsan_read##name(void* at) { hooks::aligned(at, bytes, false, HERE); }                            \
    void __tsan_write##name(void* at) { hooks::aligned(at, bytes, true, HERE); }                            \
    void __tsan_unaligned_read##name(void* at) { hooks::plain(at, bytes, false, Kind::plain, HERE); }       \
    void __tsan_unaligned_write##name(void* at) { hooks::plain(at, bytes, true, Kind::plain, HERE); }       \
    void __tsan_volatile_read##name(void* at) { hooks::access_volatile(at, bytes, false, HERE); }           \
    void __tsan_volatile_write##name(void* at) { hooks::access_volatile(at, bytes, true, HERE); }           \
    void __tsan_unaligned_volatile_read##name(void* at) { hooks::access_volatile(at, bytes, false, HERE); } \
    void __tsan_unaligned_volatile_write##name(void* at) { hooks::access_volatile(at, bytes, true, HERE); } \
    void __tsan_read_write##name(void* at) {                                                                \
        hooks::plain(at, bytes, false, Kind::plain, HERE, true);                                            \
        hooks::plain(at, bytes, true, Kind::plain, HERE, true);                                             \
    }
ACCESS(1, 1)
ACCESS(2, 2)
ACCESS(4, 4)
ACCESS(8, 8)
ACCESS(16, 16)

#define UPDATE(bits, T, name, operation)                                 \
    T __tsan_atomic##bits##_##name(T volatile* at, T value, int order) { \
        hooks::before_atomic(at, true, true, order, HERE);               \
        T const before = operation(at, value, __ATOMIC_SEQ_CST);         \
        hooks::after_atomic(at, true, true, order, HERE);                \
        return before;                                                   \
    }
#define EXCHANGE(bits, T, name)                                                                               \
    int __tsan_atomic##bits##_compare_exchange_##name(T volatile* at, T* expected, T value, int order, int) { \
        hooks::before_atomic(at, true, true, order, HERE, true);                                              \
        bool const done = __atomic_compare_exchange_n(at, expected, value, false, 5, 5);                      \
        hooks::after_atomic(at, true, done, order, HERE);                                                     \
        return done;                                                                                          \
    }
#define ATOMICS(bits, T)                                                                                \
    T __tsan_atomic##bits##_load(T const volatile* at, int order) {                                     \
        hooks::before_atomic(at, false, false, order, HERE);                                            \
        T const value = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                          \
        hooks::after_atomic(at, false, false, order, HERE);                                             \
        return value;                                                                                   \
    }                                                                                                   \
    void __tsan_atomic##bits##_store(T volatile* at, T value, int order) {                              \
        hooks::before_atomic(at, true, false, order, HERE);                                             \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                  \
        hooks::after_atomic(at, false, true, order, HERE);                                              \
    }                                                                                                   \
    UPDATE(bits, T, exchange, __atomic_exchange_n)                                                      \
    UPDATE(bits, T, fetch_add, __atomic_fetch_add)                                                      \
    UPDATE(bits, T, fetch_sub, __atomic_fetch_sub)                                                      \
    UPDATE(bits, T, fetch_and, __atomic_fetch_and)                                                      \
    UPDATE(bits, T, fetch_or, __atomic_fetch_or)                                                        \
    UPDATE(bits, T, fetch_xor, __atomic_fetch_xor)                                                      \
    UPDATE(bits, T, fetch_nand, __atomic_fetch_nand)                                                    \
    EXCHANGE(bits, T, strong)                                                                           \
    EXCHANGE(bits, T, weak)                                                                             \
    T __tsan_atomic##bits##_compare_exchange_val(T volatile* at, T expected, T value, int order, int) { \
        hooks::before_atomic(at, true, true, order, HERE, true);                                        \
        bool const done = __atomic_compare_exchange_n(at, &expected, value, false, 5, 5);               \
        hooks::after_atomic(at, true, done, order, HERE);                                               \
        return expected;                                                                                \
    }
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)

void __tsan_atomic_thread_fence(int order) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    lockstep::simt::emulator::Lane* const lane = lockstep::simt::emulator::current_lane;
    if (lane != nullptr && hooks::active_checker != nullptr) {
        hooks::active_checker->fence(*lane, order, lockstep::simt::emulator::told_scope());
    }
}
void __tsan_atomic_signal_fence(int) {}

void __sanitizer_cov_trace_pc() {
    lockstep::simt::emulator::Lane* const lane = lockstep::simt::emulator::current_lane;
    if (lane != nullptr && hooks::active_checker != nullptr && hooks::active_checker->settings().counters) {
        hooks::active_checker->basic_block(*lane, reinterpret_cast<std::uintptr_t>(HERE));
    }
}

void* __wrap_memcpy(void* to, void const* from, std::size_t bytes) {
    hooks::range(from, bytes, false, HERE);
    hooks::range(to, bytes, true, HERE);
    static auto* const real = hooks::of_library<void*(void*, void const*, std::size_t)>("memcpy");
    return real(to, from, bytes);
}
void* __wrap_memmove(void* to, void const* from, std::size_t bytes) {
    hooks::range(from, bytes, false, HERE);
    hooks::range(to, bytes, true, HERE);
    static auto* const real = hooks::of_library<void*(void*, void const*, std::size_t)>("memmove");
    return real(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
    hooks::range(to, bytes, true, HERE);
    static auto* const real = hooks::of_library<void*(void*, int, std::size_t)>("memset");
    return real(to, value, bytes);
}
// Later versions of clang call these.
void* __tsan_memcpy(void* to, void const* from, std::size_t bytes) { return __wrap_memcpy(to, from, bytes); }
void* __tsan_memmove(void* to, void const* from, std::size_t bytes) { return __wrap_memmove(to, from, bytes); }
void* __tsan_memset(void* to, int value, std::size_t bytes) { return __wrap_memset(to, value, bytes); }

}  // extern "C"
// NOLINTEND
