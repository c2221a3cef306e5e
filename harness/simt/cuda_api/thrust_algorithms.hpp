#pragma once
// Algorithms with Thrust's names. The host does them, in order. Each is also called with a policy of execution first.

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "harness/simt/cuda_api/thrust_functional.hpp"
#include "harness/simt/cuda_api/thrust_iterators.hpp"

namespace thrust {

namespace details {

template <class T>
inline constexpr bool is_policy = std::is_same_v<std::remove_cvref_t<T>, policy>;
template <class It>
using value_of = typename std::iterator_traits<It>::value_type;

// Work on the host for the device. Lanes that call an algorithm do their own.
class Work {
public:
    Work() {
        if (!lockstep::simt::emulator::on_lane()) {
            of_host_.emplace();
        }
    }

private:
    std::optional<lockstep::simt::hooks::LibraryWork> of_host_;
};

// The end of what was written from `first` on.
template <class It>
It written(It first, It last) {
    note_written(first, last);
    return last;
}

}  // namespace details

using std::advance;
using std::distance;
using std::max;
using std::min;
using std::swap;

// thrust::name(arguments...) calls algorithms::name, without the policy.
#define LOCKSTEP_WITH_POLICY(name)                                         \
    template <class First, class... A>                                     \
    decltype(auto) name(First&& first, A&&... arguments) {                 \
        details::Work const work;                                          \
        if constexpr (details::is_policy<First>) {                         \
            return algorithms::name(std::forward<A>(arguments)...);        \
        } else {                                                           \
            return algorithms::name(first, std::forward<A>(arguments)...); \
        }                                                                  \
    }

namespace algorithms {

template <class It, class T>
void fill(It first, It last, T const& value) {
    std::fill(first, last, static_cast<details::value_of<It>>(value));
    note_written(first, last);
}
template <class It, class N, class T>
It fill_n(It first, N count, T const& value) {
    algorithms::fill(first, first + count, value);
    return first + count;
}
template <class It, class T>
void sequence(It first, It last, T start, T step = T{1}) {
    for (It it = first; it != last; ++it, start = start + step) {
        *it = start;
    }
    note_written(first, last);
}
template <class It>
void sequence(It first, It last) {
    algorithms::sequence(first, last, details::value_of<It>{});
}
template <class It, class F>
void tabulate(It first, It last, F function) {
    for (It it = first; it != last; ++it) {
        *it = function(it - first);
    }
    note_written(first, last);
}
template <class It, class F>
void generate(It first, It last, F function) {
    std::generate(first, last, function);
    note_written(first, last);
}
template <class It, class Out>
Out copy(It first, It last, Out out) {
    return details::written(out, std::copy(first, last, out)), out + (last - first);
}
template <class It, class N, class Out>
Out copy_n(It first, N count, Out out) {
    return algorithms::copy(first, first + count, out);
}
template <class It, class Stencil, class Out, class Predicate>
Out copy_if(It first, It last, Stencil stencil, Out out, Predicate predicate) {
    Out to = out;
    for (; first != last; ++first, ++stencil) {
        if (predicate(*stencil)) {
            *to = *first;
            ++to;
        }
    }
    return details::written(out, to);
}
template <class It, class Out, class Predicate>
Out copy_if(It first, It last, Out out, Predicate predicate) {
    return algorithms::copy_if(first, last, first, out, predicate);
}
template <class It, class F>
It for_each(It first, It last, F function) {
    std::for_each(first, last, function);
    return last;
}
template <class It, class N, class F>
It for_each_n(It first, N count, F function) {
    return algorithms::for_each(first, first + count, function);
}
template <class It, class Out, class F>
Out transform(It first, It last, Out out, F function) {
    Out to = out;
    for (; first != last; ++first, ++to) {
        *to = function(*first);
    }
    return details::written(out, to);
}
template <class It, class Second, class Out, class F>
Out transform(It first, It last, Second second, Out out, F function) {
    Out to = out;
    for (; first != last; ++first, ++second, ++to) {
        *to = function(*first, *second);
    }
    return details::written(out, to);
}
template <class It, class Indices, class Out>
Out gather(Indices first, Indices last, It from, Out out) {
    Out to = out;
    for (; first != last; ++first, ++to) {
        *to = from[*first];
    }
    return details::written(out, to);
}
template <class It, class Indices, class Out>
void scatter(It first, It last, Indices indices, Out out) {
    for (; first != last; ++first, ++indices) {
        out[*indices] = *first;
        note_written(out + *indices, out + *indices + 1);
    }
}

template <class It, class T, class Op = std::plus<>>
T reduce(It first, It last, T initial, Op op = {}) {
    for (; first != last; ++first) {
        initial = static_cast<T>(op(initial, *first));
    }
    return initial;
}
template <class It>
details::value_of<It> reduce(It first, It last) {
    return algorithms::reduce(first, last, details::value_of<It>{});
}
template <class It, class F, class T, class Op>
T transform_reduce(It first, It last, F function, T initial, Op op) {
    for (; first != last; ++first) {
        initial = static_cast<T>(op(initial, function(*first)));
    }
    return initial;
}
template <class It, class Second, class T, class Sum = std::plus<>, class Product = std::multiplies<>>
T inner_product(It first, It last, Second second, T initial, Sum sum = {}, Product product = {}) {
    for (; first != last; ++first, ++second) {
        initial = static_cast<T>(sum(initial, product(*first, *second)));
    }
    return initial;
}
template <class It, class Out, class Op = std::plus<>>
Out inclusive_scan(It first, It last, Out out, Op op = {}) {
    Out to = out;
    if (first == last) {
        return out;
    }
    details::value_of<It> total = *first;
    for (*to++ = total, ++first; first != last; ++first, ++to) {
        total = static_cast<details::value_of<It>>(op(total, *first));
        *to = total;
    }
    return details::written(out, to);
}
template <class It, class Out, class T, class Op = std::plus<>>
Out exclusive_scan(It first, It last, Out out, T initial, Op op = {}) {
    Out to = out;
    for (; first != last; ++first, ++to) {
        T const next = static_cast<T>(op(initial, *first));  // the output may be the input
        *to = initial;
        initial = next;
    }
    return details::written(out, to);
}
template <class It, class Out>
Out exclusive_scan(It first, It last, Out out) {
    return algorithms::exclusive_scan(first, last, out, details::value_of<It>{});
}
template <class It, class Out, class F, class Op>
Out transform_inclusive_scan(It first, It last, Out out, F function, Op op) {
    return algorithms::inclusive_scan(out, algorithms::transform(first, last, out, function), out, op);
}
template <class It, class Out, class Op = std::minus<>>
Out adjacent_difference(It first, It last, Out out, Op op = {}) {
    return details::written(out, std::adjacent_difference(first, last, out, op));
}

template <class It, class Predicate>
auto count_if(It first, It last, Predicate predicate) {
    return std::count_if(first, last, predicate);
}
template <class It, class T>
auto count(It first, It last, T const& value) {
    return std::count(first, last, value);
}
template <class It, class T>
It find(It first, It last, T const& value) {
    return std::find(first, last, value);
}
template <class It, class Predicate>
It find_if(It first, It last, Predicate predicate) {
    return std::find_if(first, last, predicate);
}
template <class It, class Predicate>
bool any_of(It first, It last, Predicate predicate) {
    return std::any_of(first, last, predicate);
}
template <class It, class Predicate>
bool all_of(It first, It last, Predicate predicate) {
    return std::all_of(first, last, predicate);
}
template <class It, class Predicate>
bool none_of(It first, It last, Predicate predicate) {
    return std::none_of(first, last, predicate);
}
template <class It, class Second>
bool equal(It first, It last, Second second) {
    return std::equal(first, last, second);
}
template <class It, class Less = std::less<>>
bool is_sorted(It first, It last, Less less = {}) {
    return std::is_sorted(first, last, less);
}
template <class It, class Less = std::less<>>
It max_element(It first, It last, Less less = {}) {
    return std::max_element(first, last, less);
}
template <class It, class Less = std::less<>>
It min_element(It first, It last, Less less = {}) {
    return std::min_element(first, last, less);
}
template <class It, class Less = std::less<>>
std::pair<It, It> minmax_element(It first, It last, Less less = {}) {
    // The first of the largest, unlike std::minmax_element.
    return {std::min_element(first, last, less), std::max_element(first, last, less)};
}

}  // namespace algorithms

LOCKSTEP_WITH_POLICY(fill)
LOCKSTEP_WITH_POLICY(fill_n)
LOCKSTEP_WITH_POLICY(sequence)
LOCKSTEP_WITH_POLICY(tabulate)
LOCKSTEP_WITH_POLICY(generate)
LOCKSTEP_WITH_POLICY(copy)
LOCKSTEP_WITH_POLICY(copy_n)
LOCKSTEP_WITH_POLICY(copy_if)
LOCKSTEP_WITH_POLICY(for_each)
LOCKSTEP_WITH_POLICY(for_each_n)
LOCKSTEP_WITH_POLICY(transform)
LOCKSTEP_WITH_POLICY(gather)
LOCKSTEP_WITH_POLICY(scatter)
LOCKSTEP_WITH_POLICY(reduce)
LOCKSTEP_WITH_POLICY(transform_reduce)
LOCKSTEP_WITH_POLICY(inner_product)
LOCKSTEP_WITH_POLICY(inclusive_scan)
LOCKSTEP_WITH_POLICY(exclusive_scan)
LOCKSTEP_WITH_POLICY(transform_inclusive_scan)
LOCKSTEP_WITH_POLICY(adjacent_difference)
LOCKSTEP_WITH_POLICY(count_if)
LOCKSTEP_WITH_POLICY(count)
LOCKSTEP_WITH_POLICY(find)
LOCKSTEP_WITH_POLICY(find_if)
LOCKSTEP_WITH_POLICY(any_of)
LOCKSTEP_WITH_POLICY(all_of)
LOCKSTEP_WITH_POLICY(none_of)
LOCKSTEP_WITH_POLICY(equal)
LOCKSTEP_WITH_POLICY(is_sorted)
LOCKSTEP_WITH_POLICY(max_element)
LOCKSTEP_WITH_POLICY(min_element)
LOCKSTEP_WITH_POLICY(minmax_element)

}  // namespace thrust
