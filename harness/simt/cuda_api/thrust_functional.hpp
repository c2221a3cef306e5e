#pragma once
// Functions with Thrust's names: operations, policies of execution (which change nothing: the host runs every algorithm
// in order), random numbers and complex numbers of the standard library.

#include <complex>
#include <functional>
#include <random>

#include "harness/simt/cuda_api/streams.hpp"

namespace thrust {

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;

template <class T = void>
struct maximum {
    T operator()(T const& a, T const& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
    template <class T>
    T operator()(T const& a, T const& b) const {
        return a < b ? b : a;
    }
};
template <class T = void>
struct minimum {
    T operator()(T const& a, T const& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
    template <class T>
    T operator()(T const& a, T const& b) const {
        return b < a ? b : a;
    }
};
template <class T = void>
struct identity {
    T const& operator()(T const& x) const { return x; }
};
template <class T>
struct square {
    T operator()(T const& x) const { return x * x; }
};
template <class A, class B, class R>
struct binary_function {
    using first_argument_type = A;
    using second_argument_type = B;
    using result_type = R;
};
template <class A, class R>
struct unary_function {
    using argument_type = A;
    using result_type = R;
};

// A function of several arguments as one of a tuple.
template <class F>
struct zip_function {
    F function;
    template <class Tuple>
    decltype(auto) operator()(Tuple&& arguments) const {
        return std::apply(function, std::forward<Tuple>(arguments));
    }
};
template <class F>
zip_function<F> make_zip_function(F function) {
    return {function};
}

struct policy {
    policy on(cudaStream_t) const { return {}; }
    template <class Allocator>
    policy operator()(Allocator const&) const {
        return {};
    }
};
inline constexpr policy host, device, seq;
namespace cuda {
inline constexpr policy par, par_nosync;
}

using std::minstd_rand;
using default_random_engine = std::minstd_rand;
template <class T>
using uniform_int_distribution = std::uniform_int_distribution<T>;
template <class T>
using uniform_real_distribution = std::uniform_real_distribution<T>;
namespace random {
using thrust::default_random_engine;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
template <class T>
using normal_distribution = std::normal_distribution<T>;
}  // namespace random

using std::abs;
using std::arg;
using std::complex;
using std::conj;
using std::cos;
using std::exp;
using std::log;
using std::norm;
using std::polar;
using std::pow;
using std::sin;
using std::sqrt;

}  // namespace thrust
