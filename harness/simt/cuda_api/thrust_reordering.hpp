#pragma once
// Algorithms with Thrust's names that reorder or drop elements: sorts, removals, by keys. They work on copies, because
// an element of a zip_iterator is a tuple of references.

#include "harness/simt/cuda_api/thrust_algorithms.hpp"

namespace thrust {
namespace algorithms {

// For a lane, which must not use the host's memory: by insertion, in place.
template <class It, class Less>
void insertion_sort(It first, It last, Less less) {
    using Value = details::value_of<It>;
    for (It next = first; next != last; ++next) {
        Value value = *next;
        It to = next;
        for (; to != first && less(value, static_cast<Value>(*(to - 1))); --to) {
            *to = static_cast<Value>(*(to - 1));
        }
        *to = value;
    }
}
template <class It, class Less = std::less<>>
void stable_sort(It first, It last, Less less = {}) {
    if (lockstep::simt::emulator::on_lane()) {
        return insertion_sort(first, last, less);
    }
    std::vector<details::value_of<It>> values(first, last);
    std::stable_sort(values.begin(), values.end(), less);
    algorithms::copy(values.begin(), values.end(), first);
}
template <class It, class Less = std::less<>>
void sort(It first, It last, Less less = {}) {
    algorithms::stable_sort(first, last, less);
}
template <class Keys, class Values, class Less = std::less<>>
void stable_sort_by_key(Keys first, Keys last, Values values, Less less = {}) {
    if (lockstep::simt::emulator::on_lane()) {
        auto const pairs = make_zip_iterator(first, values);
        return insertion_sort(pairs, pairs + (last - first),
                              [&](auto const& a, auto const& b) { return less(std::get<0>(a), std::get<0>(b)); });
    }
    std::vector<details::value_of<Keys>> const keys(first, last);
    std::vector<details::value_of<Values>> const items(values, values + (last - first));
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return less(keys[a], keys[b]); });
    algorithms::gather(order.begin(), order.end(), keys.begin(), first);
    algorithms::gather(order.begin(), order.end(), items.begin(), values);
}
template <class Keys, class Values, class Less = std::less<>>
void sort_by_key(Keys first, Keys last, Values values, Less less = {}) {
    algorithms::stable_sort_by_key(first, last, values, less);
}

template <class It, class Stencil, class Predicate>
It remove_if(It first, It last, Stencil stencil, Predicate predicate) {
    It to = first;
    for (; first != last; ++first, ++stencil) {
        if (!predicate(*stencil)) {
            *to = static_cast<details::value_of<It>>(*first);
            ++to;
        }
    }
    return to;
}
template <class It, class Predicate>
It remove_if(It first, It last, Predicate predicate) {
    return algorithms::remove_if(first, last, first, predicate);
}
template <class It, class T>
It remove(It first, It last, T const& value) {
    return algorithms::remove_if(first, last, [&](auto const& x) { return x == value; });
}
template <class It, class Out, class Predicate>
Out remove_copy_if(It first, It last, Out out, Predicate predicate) {
    return algorithms::copy_if(first, last, out, [&](auto const& x) { return !predicate(x); });
}
template <class It, class Predicate, class T>
void replace_if(It first, It last, Predicate predicate, T const& value) {
    std::replace_if(first, last, predicate, static_cast<details::value_of<It>>(value));
}
template <class It, class T>
void replace(It first, It last, T const& before, T const& after) {
    std::replace(first, last, before, after);
}
template <class It, class Same = std::equal_to<>>
It unique(It first, It last, Same same = {}) {
    std::vector<details::value_of<It>> values(first, last);
    values.erase(std::unique(values.begin(), values.end(), same), values.end());
    return algorithms::copy(values.begin(), values.end(), first);
}
template <class It, class Out, class Same = std::equal_to<>>
Out unique_copy(It first, It last, Out out, Same same = {}) {
    std::vector<details::value_of<It>> values(first, last);
    values.erase(std::unique(values.begin(), values.end(), same), values.end());
    return algorithms::copy(values.begin(), values.end(), out);
}
// Of each run of equal keys, the first key and value.
template <class Keys, class Values, class Same = std::equal_to<>>
std::pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, Same same = {}) {
    std::vector<details::value_of<Keys>> const keys(first, last);
    std::vector<details::value_of<Values>> const items(values, values + (last - first));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || !same(keys[i - 1], keys[i])) {
            *first++ = keys[i];
            *values++ = items[i];
        }
    }
    return {first, values};
}
// Of each run of equal keys, the key and its values joined.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Same = std::equal_to<>,
          class Op = std::plus<>>
std::pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out,
                                            ValuesOut values_out, Same same = {}, Op op = {}) {
    KeysOut const keys_begin = keys_out;
    ValuesOut const values_begin = values_out;
    while (first != last) {
        details::value_of<Keys> const key = *first;
        details::value_of<Values> total = *values;
        for (++first, ++values; first != last && same(key, *first); ++first, ++values) {
            total = op(total, *values);
        }
        *keys_out++ = key;
        *values_out++ = total;
    }
    if constexpr (!std::is_same_v<KeysOut, discard_iterator>) {
        note_written(keys_begin, keys_out);
    }
    note_written(values_begin, values_out);
    return {keys_out, values_out};
}
template <class It, class Predicate>
It stable_partition(It first, It last, Predicate predicate) {
    std::vector<details::value_of<It>> values(first, last);
    auto const middle = std::stable_partition(values.begin(), values.end(), predicate);
    algorithms::copy(values.begin(), values.end(), first);
    return first + (middle - values.begin());
}
template <class It, class Predicate>
It partition(It first, It last, Predicate predicate) {
    return algorithms::stable_partition(first, last, predicate);
}
template <class It>
void reverse(It first, It last) {
    std::vector<details::value_of<It>> const values(first, last);
    algorithms::copy(values.rbegin(), values.rend(), first);
}
template <class It, class Engine>
void shuffle(It first, It last, Engine&& engine) {
    std::vector<details::value_of<It>> values(first, last);
    std::shuffle(values.begin(), values.end(), engine);
    algorithms::copy(values.begin(), values.end(), first);
}
template <class A, class B, class Out, class Less = std::less<>>
Out merge(A first, A last, B other, B other_last, Out out, Less less = {}) {
    return details::written(out, std::merge(first, last, other, other_last, out, less));
}
// Of one value, or of each value of a range into `out`.
template <class It, class T>
It lower_bound(It first, It last, T const& value) {
    return std::lower_bound(first, last, value);
}
template <class It, class T>
It upper_bound(It first, It last, T const& value) {
    return std::upper_bound(first, last, value);
}
template <class It, class Values, class Out>
Out lower_bound(It first, It last, Values values, Values values_last, Out out) {
    return algorithms::transform(values, values_last, out,
                                 [=](auto const& v) { return std::lower_bound(first, last, v) - first; });
}
template <class It, class Values, class Out>
Out upper_bound(It first, It last, Values values, Values values_last, Out out) {
    return algorithms::transform(values, values_last, out,
                                 [=](auto const& v) { return std::upper_bound(first, last, v) - first; });
}

}  // namespace algorithms

LOCKSTEP_WITH_POLICY(sort)
LOCKSTEP_WITH_POLICY(stable_sort)
LOCKSTEP_WITH_POLICY(sort_by_key)
LOCKSTEP_WITH_POLICY(stable_sort_by_key)
LOCKSTEP_WITH_POLICY(remove_if)
LOCKSTEP_WITH_POLICY(remove)
LOCKSTEP_WITH_POLICY(remove_copy_if)
LOCKSTEP_WITH_POLICY(replace_if)
LOCKSTEP_WITH_POLICY(replace)
LOCKSTEP_WITH_POLICY(unique)
LOCKSTEP_WITH_POLICY(unique_copy)
LOCKSTEP_WITH_POLICY(unique_by_key)
LOCKSTEP_WITH_POLICY(reduce_by_key)
LOCKSTEP_WITH_POLICY(stable_partition)
LOCKSTEP_WITH_POLICY(partition)
LOCKSTEP_WITH_POLICY(reverse)
LOCKSTEP_WITH_POLICY(shuffle)
LOCKSTEP_WITH_POLICY(merge)
LOCKSTEP_WITH_POLICY(lower_bound)
LOCKSTEP_WITH_POLICY(upper_bound)
#undef LOCKSTEP_WITH_POLICY

}  // namespace thrust
