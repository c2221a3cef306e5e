#pragma once
// The names that a rule file uses: types, columns, random numbers and a few functions
// (examples/rule_interpreter/rules/README.md). Freestanding, and short, because it is compiled with every rule file.

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "harness/bench/digest.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE {

using u32 = unsigned;
using i32 = int;
using f32 = float;
using u64 = unsigned long long;
using i64 = long long;
using f64 = double;

#if defined(LOCKSTEP_EMULATOR)
// An index that knows where the rule file uses it.
struct Index {
    template <class Integer>
    Index(Integer i, std::source_location where = std::source_location::current())  // NOLINT: implicit, as an integer
        : value(static_cast<u64>(i)), site(where) {}
    u64 value;
    std::source_location site;
};
inline u64 checked(Index const& i, u64 size) {
    if (i.value >= size)
        simt::emulator::refuse("index outside the column", i.site);
    return i.value;
}
#else
using Index = u64;
__device__ inline u64 checked(Index i, u64) { return i; }
#endif

template <class T>
__device__ inline T* state_of_column(void* column, u64 size, u64 state) {
    return static_cast<T*>(column) + state * size;
}

// A column of one state.
template <class T>
class Column {
public:
    __device__ Column(Arguments const& a, unsigned column, u64 state)
        : values_(state_of_column<T>(a.columns[column], a.sizes[column], state)), size_(a.sizes[column]) {}
    __device__ u32 size() const { return static_cast<u32>(size_); }
    __device__ T operator[](Index i) const { return values_[checked(i, size_)]; }
    __device__ void set(Index i, T value) { values_[checked(i, size_)] = value; }
    __device__ bool written() const { return false; }

private:
    T* values_;
    u64 size_;
};

// The same, where other instances read what a rule writes: stores wait until the rule is over.
template <class T>
class DeferredColumn {
public:
    __device__ DeferredColumn(Arguments const& a, unsigned column, u64 state)
        : values_(state_of_column<T>(a.columns[column], a.sizes[column], state)),
          pending_(state_of_column<T>(a.pending[column], a.sizes[column], state)),
          size_(a.sizes[column]) {}
    __device__ u32 size() const { return static_cast<u32>(size_); }
    __device__ T operator[](Index i) const { return values_[checked(i, size_)]; }
    __device__ void set(Index i, T value) {
        pending_[checked(i, size_)] = value;
        written_ = true;
    }
    __device__ bool written() const { return written_; }

private:
    T const* values_;
    T* pending_;
    u64 size_;
    bool written_ = false;
};

// Copies the waiting stores of values first, first + step ... below `end`. Values without a store are equal in both
// arrays.
template <class T>
__device__ inline void commit_column(Arguments const& a, unsigned column, u64 state, u64 first, u64 end, u64 step) {
    T* const values = state_of_column<T>(a.columns[column], a.sizes[column], state);
    T const* const pending = state_of_column<T>(a.pending[column], a.sizes[column], state);
    u64 const last = end < a.sizes[column] ? end : a.sizes[column];
    for (u64 i = first; i < last; i += step)
        values[i] = pending[i];
}

__device__ inline u64 bits_of(u32 value) { return value; }
__device__ inline u64 bits_of(i32 value) { return static_cast<u32>(value); }
__device__ inline u64 bits_of(u64 value) { return value; }
__device__ inline u64 bits_of(i64 value) { return static_cast<u64>(value); }
// Machines make different NaNs.
__device__ inline u64 bits_of(f32 value) { return value != value ? 0x7FC00000u : __float_as_uint(value); }
__device__ inline u64 bits_of(f64 value) {
    return value != value ? 0x7FF8000000000000ull : static_cast<u64>(__double_as_longlong(value));
}

__device__ inline void from_bits(u64 bits, u32& value) { value = static_cast<u32>(bits); }
__device__ inline void from_bits(u64 bits, i32& value) { value = static_cast<i32>(static_cast<u32>(bits)); }
__device__ inline void from_bits(u64 bits, u64& value) { value = bits; }
__device__ inline void from_bits(u64 bits, i64& value) { value = static_cast<i64>(bits); }
__device__ inline void from_bits(u64 bits, f32& value) { value = __uint_as_float(static_cast<u32>(bits)); }
__device__ inline void from_bits(u64 bits, f64& value) { value = __longlong_as_double(static_cast<i64>(bits)); }

template <class T>
__device__ inline T parameter_of(Arguments const& a, unsigned number) {
    T value;
    from_bits(a.parameters[number], value);
    return value;
}

// The digest of a state is the sum over its columns of these sums.
template <class T>
__device__ inline u64 digest_of_column(Arguments const& a, unsigned column, u64 state, u64 first, u64 step) {
    using bench::LOCKSTEP_MACHINE::mix;
    T const* const values = state_of_column<T>(a.columns[column], a.sizes[column], state);
    u64 const begin = (static_cast<u64>(column) + 1) << 40;
    u64 sum = 0;
    for (u64 i = first; i < a.sizes[column]; i += step)
        sum += mix(mix(begin + i) ^ bits_of(values[i]));
    return sum;
}

// 32 random bits that depend on the seed, the state, i and the stream only; stream 0 is that of the built-in rules.
template <class S>
__device__ inline u32 random(S const& s, u64 i, u64 stream = 0) {
    using bench::LOCKSTEP_MACHINE::mix;
    u64 const seed = s.seed + 0xD1B54A32D192ED03ull * stream;
    return static_cast<u32>(mix(mix(seed + 0x9E3779B97F4A7C15ull * (s.number + 1)) + i) >> 32);
}
// Uniform on 0 .. n - 1, up to a bias of n / 2^32.
template <class S>
__device__ inline u32 random_below(S const& s, u64 i, u32 n, u64 stream = 0) {
    return static_cast<u32>(static_cast<u64>(random(s, i, stream)) * n >> 32);
}

template <class T>
__device__ inline T min(T a, T b) {
    return b < a ? b : a;
}
template <class T>
__device__ inline T max(T a, T b) {
    return a < b ? b : a;
}
#if !defined(__CUDACC__)
inline f32 sqrt(f32 x) { return __builtin_sqrtf(x); }
inline f64 sqrt(f64 x) { return __builtin_sqrt(x); }
inline f32 floor(f32 x) { return __builtin_floorf(x); }
inline f64 floor(f64 x) { return __builtin_floor(x); }
inline f32 fabs(f32 x) { return __builtin_fabsf(x); }
inline f64 fabs(f64 x) { return __builtin_fabs(x); }
#endif

// What a rule has to have, so that a message can name what is missing.
template <class Rule, class S>
concept HasRange = requires(Rule rule, S const& s) {
    static_cast<u32>(rule.range(s));
};
template <class Rule, class S>
concept HasCondition = requires(Rule rule, S const& s, u32 i) {
    static_cast<bool>(rule.condition(s, i));
};
template <class Rule, class S>
concept HasEvaluate = requires(Rule rule, S& s, u32 i) {
    static_cast<bool>(rule.evaluate(s, i));
};

}  // namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE
