#pragma once
// Atomic accesses and fences with C++'s memory orders (`__ATOMIC_...`) and CUDA's scopes: one function per access, on
// which atomics, `cuda::atomic_ref` and fences are built. Other lanes may run after an access.
//
// On the CPU the order is the compiler's, and the scope has no effect. In a program with access checks the compiler's
// call tells the order, and `told_scope` the scope: a block's atomic does not order for other blocks.

#include <type_traits>

#include "harness/simt/emulator/runtime.hpp"

namespace lockstep::simt::emulator {

#if defined(LOCKSTEP_SIMT_HOOKS)
// Tells the scope of the accesses and fences until it is destroyed; without one it is Scope::device.
class ScopeOfAccesses {
public:
    explicit ScopeOfAccesses(Scope scope, WordUpdate update = WordUpdate::atomic) { tell_scope(scope, update); }
    ~ScopeOfAccesses() { tell_scope(Scope::device); }
    ScopeOfAccesses(ScopeOfAccesses const&) = delete;
    ScopeOfAccesses& operator=(ScopeOfAccesses const&) = delete;
};
#else
struct ScopeOfAccesses {
    explicit ScopeOfAccesses(Scope, WordUpdate = WordUpdate::atomic) {}
    ~ScopeOfAccesses() {}  // not trivial, so that an unused variable is no mistake
};
#endif

// The host calls functions that are for both, and has no other lanes. `unchanged`: the word is what it was.
inline void after_access(bool unchanged) {
    if (on_lane()) {
        yield_lane(false, unchanged);
    }
}

template <class T>
bool has_same_bits(T const& a, T const& b) {
    return __builtin_memcmp(&a, &b, sizeof(T)) == 0;
}

template <int order>
using Order = std::integral_constant<int, order>;

// Calls `access` with the order as a constant, as the compiler's functions need it. `consume` is `acquire`.
template <class Access>
[[gnu::always_inline]] inline auto with_order(int order, Access access) {
    switch (order) {
        case __ATOMIC_RELAXED:
            return access(Order<__ATOMIC_RELAXED>{});
        case __ATOMIC_CONSUME:
        case __ATOMIC_ACQUIRE:
            return access(Order<__ATOMIC_ACQUIRE>{});
        case __ATOMIC_RELEASE:
            return access(Order<__ATOMIC_RELEASE>{});
        case __ATOMIC_ACQ_REL:
            return access(Order<__ATOMIC_ACQ_REL>{});
        default:
            return access(Order<__ATOMIC_SEQ_CST>{});
    }
}

// The order of the read of an update that writes nothing.
constexpr int order_of_failure(int order) {
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

// `order`: relaxed, acquire or seq_cst.
template <class T>
T scoped_load(T const* address, int order, Scope scope) {
    T value;
    {
        ScopeOfAccesses const told(scope);
        with_order(order, [&](auto constant) {
            constexpr int of_load = order_of_failure(constant);
            __atomic_load(address, &value, of_load);
        });
    }
    after_access(true);
    return value;
}

// `order`: relaxed, release or seq_cst.
template <class T>
void scoped_store(T* address, T value, int order, Scope scope) {
    {
        ScopeOfAccesses const told(scope);
        with_order(order, [&](auto constant) {
            constexpr int wanted = constant;
            constexpr int of_store = wanted == __ATOMIC_ACQUIRE   ? __ATOMIC_RELAXED
                                     : wanted == __ATOMIC_ACQ_REL ? __ATOMIC_RELEASE
                                                                  : wanted;
            __atomic_store(address, &value, of_store);
        });
    }
    after_access(false);
}

// Replaces the word by `desired` if its bits are those of `expected`. Otherwise sets `expected` to the word.
template <class T>
bool scoped_compare_exchange(T* address, T& expected, T desired, int order, Scope scope) {
    bool done = false;
    {
        ScopeOfAccesses const told(scope, WordUpdate::swap);
        with_order(order, [&](auto constant) {
            constexpr int of_update = constant;
            constexpr int of_read = order_of_failure(of_update);
            done = __atomic_compare_exchange(address, &expected, &desired, false, of_update, of_read);
        });
    }
    after_access(!done || has_same_bits(expected, desired));
    return done;
}

// A GPU has instructions for integers of 32 bits, and to exchange words of any type (nvcc, sm_90).
template <class T>
constexpr WordUpdate update_of = std::is_floating_point_v<T> || (std::is_integral_v<T> && sizeof(T) == 8)
                                     ? WordUpdate::loop
                                     : WordUpdate::atomic;

// Increments of 32 bits, whose result nobody reads. The emulator does not know the latter, and takes it for granted.
template <class T>
constexpr WordUpdate addition_of(T const& value) {
    return update_of<T> == WordUpdate::atomic && value == T{1} ? WordUpdate::increment : update_of<T>;
}

// Replaces the word by update(word) and returns what it was. Compares bits, so that it ends for NaN too.
template <class T, class Update>
T scoped_update(T* address, Update update, int order, Scope scope, WordUpdate how = update_of<T>) {
    T before;
    T after;
    {
        ScopeOfAccesses const told(scope, how);
        __atomic_load(address, &before, __ATOMIC_RELAXED);
        after = update(before);
        with_order(order, [&](auto constant) {
            constexpr int of_update = constant;
            constexpr int of_read = order_of_failure(of_update);
            while (!__atomic_compare_exchange(address, &before, &after, false, of_update, of_read)) {
                after = update(before);
            }
        });
    }
    after_access(has_same_bits(before, after));
    return before;
}

// `__threadfence` and its variants are seq_cst (PTX: fence.sc).
inline void scoped_fence(int order, [[maybe_unused]] Scope scope) {
    ScopeOfAccesses const told(scope);
    with_order(order, [](auto constant) {
        constexpr int of_fence = constant;
        __atomic_thread_fence(of_fence);
    });
}

}  // namespace lockstep::simt::emulator
