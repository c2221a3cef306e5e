#pragma once
// What the code that python/lockstep/objects generates needs of every machine: object references, lists in columns,
// Python's arithmetic, and the report of what goes wrong. Only texts compiled at run time include this.
//
// Ints have 64 bits and wrap around. A lane that fails reports the place and goes on with harmless values; the host
// discards all results of a section with a failure.

#include "common/object_layout/tick_words.hpp"
#include "harness/random/bounded.hpp"
#include "harness/simt/kernel.hpp"

#if !defined(__CUDACC__)
extern "C" double fabs(double x) noexcept;
extern "C" float fabsf(float x) noexcept;
extern "C" double fmod(double x, double y) noexcept;
extern "C" double floor(double x) noexcept;
extern "C" double ceil(double x) noexcept;
extern "C" double trunc(double x) noexcept;
extern "C" double sqrt(double x) noexcept;
extern "C" double copysign(double x, double y) noexcept;
#endif

namespace lockstep::object_layout::compiled {

using u8 = unsigned char;
using u32 = unsigned;
using u64 = unsigned long long;
using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;

inline constexpr u32 none = 0xffffffffu;  // the id in a reference to no object, and the mark of an idle lane

// A reference to an object whose class is not unique (Section 4.4).
struct Ref {
    u32 tag;
    u32 id;
};

// A list: a part of the contents of all lists of a field (Figure 6).
struct Slice {
    u32 first;
    u32 size;
};

// The arguments that every section has. All members have 8 bytes.
struct Section {
    u64 jobs;
    u64 seed;
    i64 first_tick;
    i64 ticks;
    u64* failure;      // the least position << 16 | site of all failures
    u64* full;         // set to 1 if memory for new objects or longer lists was not enough
    u32 const* order;  // the job array (Algorithm 1): positions in the base array, or `none`; null: job i is position i
};

}  // namespace lockstep::object_layout::compiled

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using namespace compiled;

// Atomic operations of ints. Their order does not change the result.
#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
__device__ inline void atomic_add(i64* field, i64 value) {
    atomicAdd(reinterpret_cast<u64*>(field), static_cast<u64>(value));
}
__device__ inline void atomic_min(i64* field, i64 value) { atomicMin(field, value); }
__device__ inline void atomic_max(i64* field, i64 value) { atomicMax(field, value); }
__device__ inline void report_failure(u64* word, u64 failure) { atomicMin(word, failure); }
__device__ inline void report_full(u64* word) { atomicMax(word, u64{1}); }
__device__ inline u64 take(u64* used, u64 count) { return atomicAdd(used, count); }
#else
template <class T, class Better>
inline void replace_if(T* field, T value, Better const& better) {
    T before = __atomic_load_n(field, __ATOMIC_RELAXED);
    while (better(value, before) &&
           !__atomic_compare_exchange_n(field, &before, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}
inline void atomic_add(i64* field, i64 value) {
    __atomic_fetch_add(reinterpret_cast<u64*>(field), static_cast<u64>(value), __ATOMIC_RELAXED);
}
inline void atomic_min(i64* field, i64 value) {
    replace_if(field, value, [](i64 a, i64 b) { return a < b; });
}
inline void atomic_max(i64* field, i64 value) {
    replace_if(field, value, [](i64 a, i64 b) { return a > b; });
}
inline void report_failure(u64* word, u64 failure) {
    replace_if(word, failure, [](u64 a, u64 b) { return a < b; });
}
inline void report_full(u64* word) { __atomic_store_n(word, u64{1}, __ATOMIC_RELAXED); }
inline u64 take(u64* used, u64 count) { return __atomic_fetch_add(used, count, __ATOMIC_RELAXED); }
#endif

// The draws of one element: those of tick_words.hpp. One call of Philox gives the first draws of four ticks.
class Draws {
public:
    using result_type = u32;
    __device__ static constexpr u32 min() { return 0; }
    __device__ static constexpr u32 max() { return 0xffffffffu; }

    __device__ Draws(u64 seed, u64 element) : seed_(seed), element_(element) {}
    __device__ void begin(u32 tick, u32 first_draw) {
        tick_ = tick;
        draw_ = first_draw;
    }
    __device__ u32 operator()() {
        if (draw_ != 0) {
            return word_of(Philox::at(seed_, element_, draw_++, tick_ / 4), tick_ % 4);
        }
        if (block_ != tick_ / 4) {
            block_ = tick_ / 4;
            first_ = Philox::at(seed_, element_, 0, block_);
        }
        draw_ = 1;
        return word_of(first_, tick_ % 4);
    }

private:
    u64 seed_;
    u64 element_;
    u32 tick_ = 0;
    u32 draw_ = 0;
    u32 block_ = none;  // of first_
    random::Words4 first_ = {0, 0, 0, 0};
};

// The state of one element. Generated code adds the fields of the element that a section writes: nothing else accesses
// them, so they stay in registers for all ticks.
struct Lane {
    Draws words;
    u64* failure;
    u64* full;
    u64 position;
    bool failed = false;

    __device__ Lane(Section const& a, u64 position_of)
        : words(a.seed, position_of), failure(a.failure), full(a.full), position(position_of) {}

    __device__ void begin(i64 tick, u32 first_draw = 0) { words.begin(static_cast<u32>(tick), first_draw); }

    __device__ void fail(u32 site) {
        if (!failed) {
            failed = true;
            report_failure(failure, position << 16 | site);
        }
    }
    __device__ void check(bool holds, u32 site) {
        if (!holds) {
            fail(site);
        }
    }
    // The host gives the section more memory and runs it again, from the same state.
    __device__ void no_space() {
        if (!failed) {
            failed = true;
            report_full(full);
        }
    }
    __device__ i64 word() { return static_cast<i64>(words()); }
    __device__ i64 below(i64 n, u32 site) {
        if (n < 1 || n > 0xffffffffll) {
            fail(site);
            return 0;
        }
        return static_cast<i64>(random::LOCKSTEP_MACHINE::bounded(words, static_cast<u32>(n)));
    }
};

__device__ inline bool same(Ref x, Ref y) { return x.id == y.id && (x.id == none || x.tag == y.tag); }

// A failed check gives the first object: it exists, because its class does.
__device__ inline u32 not_none(Lane& lane, u32 id, u32 site) {
    lane.check(id != none, site);
    return id == none ? 0 : id;
}
__device__ inline Ref not_none(Lane& lane, Ref x, u32 site) { return {x.tag, not_none(lane, x.id, site)}; }

// A column that the section does not write.
template <class T>
__device__ inline T fetch(T const* column, u32 id) {
    return __ldg(column + id);
}
__device__ inline bool fetch(bool const* column, u32 id) { return column[id]; }

// The place of an element; a negative index counts from the end.
__device__ inline u32 index(Lane& lane, Slice list, i64 i, u32 site) {
    i64 const place = i < 0 ? i + list.size : i;
    if (place < 0 || place >= list.size) {
        lane.fail(site);
        return 0;
    }
    return list.first + static_cast<u32>(place);
}

// Python's arithmetic of ints.
__device__ inline i64 add(i64 x, i64 y) { return static_cast<i64>(static_cast<u64>(x) + static_cast<u64>(y)); }
__device__ inline i64 subtract(i64 x, i64 y) { return static_cast<i64>(static_cast<u64>(x) - static_cast<u64>(y)); }
__device__ inline i64 multiply(i64 x, i64 y) { return static_cast<i64>(static_cast<u64>(x) * static_cast<u64>(y)); }
__device__ inline i64 absolute(i64 x) { return x < 0 ? subtract(0, x) : x; }
__device__ inline double absolute(double x) { return fabs(x); }
__device__ inline float absolute(float x) { return fabsf(x); }

// The quotient rounds down, and the remainder has the divisor's sign.
__device__ inline i64 floor_divide(Lane& lane, i64 x, i64 y, u32 site) {
    lane.check(y != 0, site);
    if (y == 0 || y == -1) {
        return y == 0 ? 0 : subtract(0, x);  // the least int has no negative: it wraps around
    }
    i64 const quotient = x / y;
    return x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}
__device__ inline i64 modulo(Lane& lane, i64 x, i64 y, u32 site) {
    lane.check(y != 0, site);
    if (y == 0 || y == -1) {
        return 0;
    }
    i64 const remainder = x % y;
    return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}
__device__ inline i64 shift_left(Lane& lane, i64 x, i64 count, u32 site) {
    lane.check(count >= 0, site);
    return count < 0 || count > 63 ? 0 : static_cast<i64>(static_cast<u64>(x) << count);
}
__device__ inline i64 shift_right(Lane& lane, i64 x, i64 count, u32 site) {
    lane.check(count >= 0, site);
    return count < 0 ? 0 : x >> (count > 63 ? 63 : count);
}

// Python's arithmetic of floats. fmod() is exact on every machine.
template <class T>
__device__ inline T divide(Lane& lane, T x, T y, u32 site) {
    lane.check(y != 0, site);
    return x / y;
}
__device__ inline double modulo(Lane& lane, double x, double y, u32 site) {
    lane.check(y != 0, site);
    double const remainder = fmod(x, y);
    if (remainder == 0) {
        return copysign(0.0, y);
    }
    return (remainder < 0) != (y < 0) ? remainder + y : remainder;
}
__device__ inline double floor_divide(Lane& lane, double x, double y, u32 site) {
    lane.check(y != 0, site);
    double const remainder = fmod(x, y);
    double quotient = (x - remainder) / y;
    if (remainder != 0 && (remainder < 0) != (y < 0)) {
        quotient -= 1;
    }
    if (quotient == 0) {
        return copysign(0.0, x / y);
    }
    double const rounded = floor(quotient);
    return quotient - rounded > 0.5 ? rounded + 1 : rounded;
}
__device__ inline float modulo(Lane& lane, float x, float y, u32 site) {
    return static_cast<float>(modulo(lane, static_cast<double>(x), static_cast<double>(y), site));
}
__device__ inline float floor_divide(Lane& lane, float x, float y, u32 site) {
    return static_cast<float>(floor_divide(lane, static_cast<double>(x), static_cast<double>(y), site));
}

// The int of a float, towards zero.
__device__ inline i64 to_int(Lane& lane, double x, u32 site) {
    bool const fits = x >= -9223372036854775808.0 && x < 9223372036854775808.0;
    lane.check(fits, site);
    return fits ? static_cast<i64>(x) : 0;
}
__device__ inline i64 to_int(Lane& lane, float x, u32 site) {
    bool const fits = x >= -9223372036854775808.0f && x < 9223372036854775808.0f;
    lane.check(fits, site);
    return fits ? static_cast<i64>(x) : 0;
}
__device__ inline double square_root(Lane& lane, double x, u32 site) {
    lane.check(!(x < 0), site);
    return x < 0 ? 0 : sqrt(x);
}
__device__ inline double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ull); }
__device__ inline double not_a_number() { return __builtin_bit_cast(double, 0x7ff8000000000000ull); }

// Converts an int to the type of a narrow column. A value that does not fit fails the lane.
template <class T>
__device__ inline T narrow(Lane& lane, i64 x, u32 site) {
    T const low = static_cast<T>(x);
    lane.check(low == x, site);
    return low;
}

// range(start, stop, step)
__device__ inline u64 range_size(Lane& lane, i64 start, i64 stop, i64 step, u32 site) {
    lane.check(step != 0, site);
    if (step == 0 || (step > 0 ? start >= stop : start <= stop)) {
        return 0;
    }
    u64 const distance =
        step > 0 ? static_cast<u64>(stop) - static_cast<u64>(start) : static_cast<u64>(start) - static_cast<u64>(stop);
    u64 const stride = step > 0 ? static_cast<u64>(step) : 0 - static_cast<u64>(step);
    return (distance - 1) / stride + 1;
}
__device__ inline i64 range_value(i64 start, i64 step, u64 count) {
    return add(start, multiply(step, static_cast<i64>(count)));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
