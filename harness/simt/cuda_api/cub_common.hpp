#pragma once
// What the block-wide and warp-wide algorithms with CUB's interface share: the caller's rank, operations, pairs of key
// and value. The algorithms are the simplest that give CUB's results. Reductions add floating-point numbers in the
// order of CUB's default algorithms, scans in another one.

#include <type_traits>

#include "harness/simt/cuda_api/barriers.hpp"
#include "harness/simt/cuda_api/lane_exchange.hpp"
#include "harness/simt/cuda_api/streams.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"

namespace cub {

using Site = lockstep::simt::cuda::Site;

namespace details {

inline unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
inline unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }

}  // namespace details

struct Sum {
    template <class T, class U>
    auto operator()(T const& a, U const& b) const {
        return a + b;
    }
};
struct Max {
    template <class T>
    T operator()(T const& a, T const& b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <class T>
    T operator()(T const& a, T const& b) const {
        return b < a ? b : a;
    }
};
struct Equality {
    template <class T>
    bool operator()(T const& a, T const& b) const {
        return a == b;
    }
};
struct Difference {
    template <class T>
    T operator()(T const& a, T const& b) const {
        return a - b;
    }
};

template <class K, class V>
struct KeyValuePair {
    using Key = K;
    using Value = V;

    Key key;
    Value value;

    KeyValuePair() = default;
    KeyValuePair(Key const& its_key, Value const& its_value) : key(its_key), value(its_value) {}
    friend bool operator!=(KeyValuePair const& a, KeyValuePair const& b) {
        return a.key != b.key || a.value != b.value;
    }
};

// The pair with the largest or smallest value; of equal ones, that with the smaller key. Without branches, as on a GPU.
struct ArgMax {
    template <class Pair>
    Pair operator()(Pair const& a, Pair const& b) const {
        bool const wins_tie = (a.value == b.value) & (b.key < a.key);
        return (b.value > a.value) | wins_tie ? b : a;
    }
};
struct ArgMin {
    template <class Pair>
    Pair operator()(Pair const& a, Pair const& b) const {
        bool const wins_tie = (a.value == b.value) & (b.key < a.key);
        return (b.value < a.value) | wins_tie ? b : a;
    }
};

// The elements of a thread's array joined from the first to the last.
template <class T, int n, class Op>
T fold(T const (&items)[n], Op op) {
    T result = items[0];
    for (int i = 1; i < n; ++i) {
        result = op(result, items[i]);
    }
    return result;
}

struct NullType {};

}  // namespace cub
