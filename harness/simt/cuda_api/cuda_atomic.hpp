#pragma once
// cuda::atomic_ref, cuda::atomic and their fence (<cuda/atomic>), with memory orders and thread scopes. Every access is
// one of harness/simt/emulator/scoped_access.hpp, so the checks know its order and its scope.

#include <atomic>
#include <type_traits>

#include "harness/simt/emulator/scoped_access.hpp"

namespace cuda {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace details {

using lockstep::simt::emulator::Scope;

constexpr Scope scope_of(thread_scope scope) {
    return scope == thread_scope_system   ? Scope::system
           : scope == thread_scope_device ? Scope::device
           : scope == thread_scope_block  ? Scope::block
                                          : Scope::lane;
}
constexpr int order_of(memory_order order) { return static_cast<int>(order); }
// The weakest order that is as strong as these of a compare-exchange: what it reads may be acquired by failure alone.
constexpr memory_order both(memory_order success, memory_order failure) {
    if (failure == memory_order_relaxed || success == memory_order_seq_cst)
        return success;
    if (failure == memory_order_seq_cst)
        return failure;
    bool const releases = success == memory_order_release || success == memory_order_acq_rel;
    return releases ? memory_order_acq_rel : memory_order_acquire;
}

// What atomic and atomic_ref share: `Self` has the member function `address`.
template <class Self, class T, thread_scope scope>
class Operations {
    static_assert(std::is_trivially_copyable_v<T>, "an atomic type is trivially copyable");
    static constexpr Scope its_scope = scope_of(scope);
    using Difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

public:
    using value_type = T;
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;
    bool is_lock_free() const { return is_always_lock_free; }

    T load(memory_order order = memory_order_seq_cst) const {
        return lockstep::simt::emulator::scoped_load(at(), order_of(order), its_scope);
    }
    void store(T value, memory_order order = memory_order_seq_cst) const {
        lockstep::simt::emulator::scoped_store(at(), value, order_of(order), its_scope);
    }
    operator T() const { return load(); }  // NOLINT(google-explicit-constructor): as in C++
    T exchange(T value, memory_order order = memory_order_seq_cst) const {
        return update([=](T) { return value; }, order, lockstep::simt::emulator::WordUpdate::exchange);
    }
    bool compare_exchange_strong(T& expected, T desired, memory_order order = memory_order_seq_cst) const {
        return lockstep::simt::emulator::scoped_compare_exchange(at(), expected, desired, order_of(order), its_scope);
    }
    bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure) const {
        return compare_exchange_strong(expected, desired, details::both(success, failure));
    }
    bool compare_exchange_weak(T& expected, T desired, memory_order order = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, desired, order);
    }
    bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure) const {
        return compare_exchange_strong(expected, desired, details::both(success, failure));
    }

    T fetch_add(Difference value, memory_order order = memory_order_seq_cst) const {
        return update([=](T old) { return sum(old, value); }, order);
    }
    T fetch_sub(Difference value, memory_order order = memory_order_seq_cst) const {
        return update([=](T old) { return difference(old, value); }, order);
    }
    T fetch_and(T value, memory_order order = memory_order_seq_cst) const {
        return update([=](T old) { return static_cast<T>(old & value); }, order);
    }
    T fetch_or(T value, memory_order order = memory_order_seq_cst) const {
        return update([=](T old) { return static_cast<T>(old | value); }, order);
    }
    T fetch_xor(T value, memory_order order = memory_order_seq_cst) const {
        return update([=](T old) { return static_cast<T>(old ^ value); }, order);
    }
    T fetch_min(T value, memory_order order = memory_order_seq_cst) const {
        return update([=](T old) { return value < old ? value : old; }, order);
    }
    T fetch_max(T value, memory_order order = memory_order_seq_cst) const {
        return update([=](T old) { return old < value ? value : old; }, order);
    }
    T operator+=(Difference value) const { return sum(fetch_add(value), value); }
    T operator-=(Difference value) const { return difference(fetch_sub(value), value); }
    T operator&=(T value) const { return static_cast<T>(fetch_and(value) & value); }
    T operator|=(T value) const { return static_cast<T>(fetch_or(value) | value); }
    T operator^=(T value) const { return static_cast<T>(fetch_xor(value) ^ value); }
    T operator++() const { return *this += Difference{1}; }
    T operator--() const { return *this -= Difference{1}; }
    T operator++(int) const { return fetch_add(Difference{1}); }
    T operator--(int) const { return fetch_sub(Difference{1}); }

    // Waits until the value is another one. A notification only ends the wait earlier, which no lane sees here.
    void wait(T old, memory_order order = memory_order_seq_cst) const {
        while (load(order) == old) {
            if (lockstep::simt::emulator::on_lane()) {
                lockstep::simt::emulator::yield_lane(true);
            }
        }
    }
    void notify_one() const {}
    void notify_all() const {}

private:
    T* at() const { return static_cast<Self const&>(*this).address(); }
    template <class Update>
    T update(Update update, memory_order order,
             lockstep::simt::emulator::WordUpdate how = lockstep::simt::emulator::update_of<T>) const {
        return lockstep::simt::emulator::scoped_update(at(), update, order_of(order), its_scope, how);
    }
    // Integers wrap, without signed overflow.
    static T sum(T a, Difference b) {
        if constexpr (std::is_integral_v<T>) {
            using Unsigned = std::make_unsigned_t<T>;
            return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
        } else {
            return static_cast<T>(a + b);
        }
    }
    static T difference(T a, Difference b) {
        if constexpr (std::is_integral_v<T>) {
            using Unsigned = std::make_unsigned_t<T>;
            return static_cast<T>(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
        } else {
            return static_cast<T>(a - b);
        }
    }
};

}  // namespace details

template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public details::Operations<atomic_ref<T, scope>, T, scope> {
public:
    static constexpr std::size_t required_alignment = sizeof(T);

    explicit atomic_ref(T& object) : address_(&object) {}
    T operator=(T value) const {  // NOLINT(misc-unconventional-assign-operator): as in C++
        this->store(value);
        return value;
    }
    T* address() const { return address_; }

private:
    T* address_;
};

template <class T, thread_scope scope = thread_scope_system>
class atomic : public details::Operations<atomic<T, scope>, T, scope> {
public:
    atomic() = default;
    constexpr atomic(T value) : value_(value) {}  // NOLINT(google-explicit-constructor): as in C++
    atomic(atomic const&) = delete;
    atomic& operator=(atomic const&) = delete;
    T operator=(T value) {  // NOLINT(misc-unconventional-assign-operator): as in C++
        this->store(value);
        return value;
    }
    T* address() const { return &value_; }

private:
    alignas(sizeof(T)) mutable T value_;
};

inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    lockstep::simt::emulator::scoped_fence(details::order_of(order), details::scope_of(scope));
}

namespace std {

using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
template <class T>
using atomic = cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
inline void atomic_thread_fence(memory_order order) { cuda::atomic_thread_fence(order, thread_scope_system); }

}  // namespace std
}  // namespace cuda
