#pragma once
// The names that a rule file uses: types, columns, random numbers and a few functions
// (examples/rule_interpreter/rules/README.md). Freestanding, and short, because it is compiled with every rule file.

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "harness/bench/digest.hpp"
#include "harness/jit/language.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE {

using namespace jit::LOCKSTEP_MACHINE;

#if defined(LOCKSTEP_EMULATOR)
// An index that knows where the rule file uses it.
struct Index {
    template <class Integer>
    Index(Integer i, std::source_location where = std::source_location::current())  // NOLINT: implicit, as an integer
        : value(static_cast<u64>(i)), site(where) {}
    u64 value;
    std::source_location site;
};
inline u64 checked(Index const& i, void const*, u64 size) {
    if (i.value >= size) {
        char what[100];
        __builtin_snprintf(what, sizeof what, "index outside the column: it has %llu values, and the index is %lld;",
                           size, static_cast<i64>(i.value));
        simt::emulator::refuse(what, i.site);
    }
    return i.value;
}
#elif defined(LOCKSTEP_CHECK_INDICES)
// An index that knows the line of the rule file that uses it.
struct Index {
    template <class Integer>
    Index(Integer i, unsigned where = __builtin_LINE())  // NOLINT: implicit, as an integer
        : value(static_cast<u64>(i)), line(where) {}
    u64 value;
    unsigned line;
};
// An exception of the program leaves the rules.
[[noreturn]] void refuse(Refusal const& refusal);
inline u64 checked(Index const& i, void const* values, u64 size) {
    if (i.value >= size)
        refuse({values, i.value, i.line, false, {}});
    return i.value;
}
// Notes that the instance that runs sets a value. No order of the instances is part of the semantics, so no other
// instance of the rule may set it, not even to the same.
inline void claim(Arguments const& a, unsigned column, void const* values, Index const& i) {
    Writers const& writers = *a.writers;
    u64& last = writers.of_column[column][i.value];
    if (last >= writers.first && last != writers.instance)
        refuse({values, i.value, i.line, true, {last - writers.first, writers.instance - writers.first}});
    last = writers.instance;
}
#else
using Index = u64;
__device__ inline u64 checked(Index i, void const*, u64) { return i; }
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
    __device__ T operator[](Index i) const { return values_[checked(i, values_, size_)]; }
    __device__ void set(Index i, T value) { values_[checked(i, values_, size_)] = value; }
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
          size_(a.sizes[column]) {
#if defined(LOCKSTEP_CHECK_INDICES)
        arguments_ = &a;
        column_ = column;
#endif
    }
    __device__ u32 size() const { return static_cast<u32>(size_); }
    __device__ T operator[](Index i) const { return values_[checked(i, values_, size_)]; }
    __device__ void set(Index i, T value) {
        pending_[checked(i, values_, size_)] = value;
#if defined(LOCKSTEP_CHECK_INDICES)
        claim(*arguments_, column_, values_, i);
#endif
        written_ = true;
    }
    __device__ bool written() const { return written_; }

private:
    T const* values_;
    T* pending_;
    u64 size_;
    bool written_ = false;
#if defined(LOCKSTEP_CHECK_INDICES)
    Arguments const* arguments_;
    unsigned column_;
#endif
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

template <class T>
__device__ inline T parameter_of(Arguments const& a, unsigned number) {
    return from_bits<T>(a.parameters[number]);
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
