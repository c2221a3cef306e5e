#pragma once
// Iterators with Thrust's names: device pointers, and those that compute what they refer to. All are of random access,
// and refer to memory of the host, which is the device's memory, too.

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace thrust {

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

// What an iterator has that is defined by its position: Derived has dereference() and a member `at` that is advanced.
template <class Derived, class Value, class Reference>
class facade {
public:
    using value_type = Value;
    using reference = Reference;
    using pointer = std::remove_reference_t<Reference>*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    reference operator*() const { return self().dereference(); }
    reference operator[](difference_type n) const { return *(self() + n); }
    Derived& operator+=(difference_type n) {
        auto& derived = static_cast<Derived&>(*this);
        derived.at = static_cast<decltype(derived.at)>(derived.at + n);
        return derived;
    }
    Derived& operator-=(difference_type n) { return *this += -n; }
    Derived& operator++() { return *this += 1; }
    Derived& operator--() { return *this += -1; }
    Derived operator++(int) {
        Derived const before = self();
        *this += 1;
        return before;
    }
    Derived operator--(int) {
        Derived const before = self();
        *this += -1;
        return before;
    }
    friend Derived operator+(Derived it, difference_type n) { return it += n; }
    friend Derived operator+(difference_type n, Derived it) { return it += n; }
    friend Derived operator-(Derived it, difference_type n) { return it -= n; }
    friend difference_type operator-(Derived const& a, Derived const& b) {
        return static_cast<difference_type>(a.at - b.at);
    }
    friend bool operator==(Derived const& a, Derived const& b) { return a.at == b.at; }
    friend bool operator!=(Derived const& a, Derived const& b) { return !(a.at == b.at); }
    friend bool operator<(Derived const& a, Derived const& b) { return a.at < b.at; }
    friend bool operator>(Derived const& a, Derived const& b) { return b.at < a.at; }
    friend bool operator<=(Derived const& a, Derived const& b) { return !(b.at < a.at); }
    friend bool operator>=(Derived const& a, Derived const& b) { return !(a.at < b.at); }

private:
    Derived const& self() const { return static_cast<Derived const&>(*this); }
};

template <class T>
class device_ptr : public facade<device_ptr<T>, std::remove_cv_t<T>, T&> {
public:
    device_ptr() = default;
    // Code of the host may access what Thrust's pointers refer to.
    explicit device_ptr(T* address) : at(address) {
        if (at != nullptr && !lockstep::simt::emulator::on_lane()) {
            lockstep::simt::hooks::note_opened(at);
        }
    }
    template <class U>
    requires(std::is_same_v<U const, T> && !std::is_same_v<U, T>) device_ptr(device_ptr<U> other) : at(other.at) {}
    T& dereference() const { return *at; }
    T* get() const { return at; }
    T* operator->() const { return at; }

    T* at = nullptr;
};
template <class T>
using device_reference = T&;
template <class T>
device_ptr<T> device_pointer_cast(T* pointer) {
    return device_ptr<T>(pointer);
}
template <class T>
device_ptr<T> device_pointer_cast(device_ptr<T> pointer) {
    return pointer;
}
template <class T>
T* raw_pointer_cast(device_ptr<T> pointer) {
    return pointer.get();
}
template <class T>
T* raw_pointer_cast(T* pointer) {
    return pointer;
}

template <class T, class = void, class = void, class = void>
class counting_iterator : public facade<counting_iterator<T>, T, T> {
public:
    counting_iterator() = default;
    explicit counting_iterator(T first) : at(first) {}
    T dereference() const { return at; }

    T at{};
};
template <class T>
counting_iterator<T> make_counting_iterator(T first) {
    return counting_iterator<T>(first);
}

template <class T, class = void, class = void>
class constant_iterator : public facade<constant_iterator<T>, T, T> {
public:
    explicit constant_iterator(T its_value, std::ptrdiff_t position = 0) : value(its_value), at(position) {}
    T dereference() const { return value; }

    T value;
    std::ptrdiff_t at;
};
template <class T>
constant_iterator<T> make_constant_iterator(T value) {
    return constant_iterator<T>(value);
}

template <class F, class It, class = void, class = void>
class transform_iterator
    : public facade<transform_iterator<F, It>,
                    std::decay_t<std::invoke_result_t<F, typename std::iterator_traits<It>::reference>>,
                    std::decay_t<std::invoke_result_t<F, typename std::iterator_traits<It>::reference>>> {
public:
    transform_iterator(It first, F its_function) : at(first), function(its_function) {}
    explicit transform_iterator(It first) : at(first) {}
    auto dereference() const { return static_cast<std::decay_t<decltype(function(*at))>>(function(*at)); }
    transform_iterator& operator=(transform_iterator const& other) {  // lambdas cannot be assigned
        at = other.at;
        return *this;
    }
    transform_iterator(transform_iterator const&) = default;
    It base() const { return at; }

    It at;
    mutable F function{};
};
template <class It, class F>
transform_iterator<F, It> make_transform_iterator(It first, F function) {
    return transform_iterator<F, It>(first, function);
}

template <class Elements, class Indices>
class permutation_iterator
    : public facade<permutation_iterator<Elements, Indices>, typename std::iterator_traits<Elements>::value_type,
                    typename std::iterator_traits<Elements>::reference> {
public:
    permutation_iterator(Elements its_elements, Indices first) : elements(its_elements), at(first) {}
    typename std::iterator_traits<Elements>::reference dereference() const {
        return elements[static_cast<std::ptrdiff_t>(*at)];
    }

    Elements elements;
    Indices at;
};
template <class Elements, class Indices>
permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements, Indices indices) {
    return permutation_iterator<Elements, Indices>(elements, indices);
}

template <class Iterators>
class zip_iterator;
template <class... It>
class zip_iterator<std::tuple<It...>>
    : public facade<zip_iterator<std::tuple<It...>>, std::tuple<typename std::iterator_traits<It>::value_type...>,
                    std::tuple<typename std::iterator_traits<It>::reference...>> {
public:
    // Moves all of the iterators, and is compared by the first.
    struct Position {
        std::tuple<It...> iterators;

        Position operator+(std::ptrdiff_t n) const {
            return std::apply([n](auto... it) { return Position{{it + n...}}; }, iterators);
        }
        auto operator-(Position const& other) const { return std::get<0>(iterators) - std::get<0>(other.iterators); }
        bool operator==(Position const& other) const { return *this - other == 0; }
        bool operator<(Position const& other) const { return *this - other < 0; }
    };

    explicit zip_iterator(std::tuple<It...> iterators) : at{iterators} {}
    std::tuple<typename std::iterator_traits<It>::reference...> dereference() const {
        return std::apply(
            [](auto&... it) { return std::tuple<typename std::iterator_traits<It>::reference...>(*it...); },
            at.iterators);
    }
    std::tuple<It...> const& get_iterator_tuple() const { return at.iterators; }

    Position at;
};
template <class... It>
zip_iterator<std::tuple<It...>> make_zip_iterator(std::tuple<It...> iterators) {
    return zip_iterator<std::tuple<It...>>(iterators);
}
template <class First, class Second, class... It>
auto make_zip_iterator(First first, Second second, It... others) {
    return make_zip_iterator(std::make_tuple(first, second, others...));
}

class discard_iterator {
public:
    using value_type = void;
    using reference = discard_iterator&;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    discard_iterator& operator*() { return *this; }
    discard_iterator& operator[](std::ptrdiff_t) { return *this; }
    discard_iterator& operator++() { return *this; }
    discard_iterator operator++(int) { return *this; }
    friend discard_iterator operator+(discard_iterator it, std::ptrdiff_t) { return it; }
    template <class T>
    discard_iterator& operator=(T const&) {
        return *this;
    }
};
inline discard_iterator make_discard_iterator() { return {}; }

using std::iterator_traits;
template <class It>
struct iterator_difference {
    using type = typename std::iterator_traits<It>::difference_type;
};
template <class It>
struct iterator_value {
    using type = typename std::iterator_traits<It>::value_type;
};

// Tells the access checks that the host has written [first, last). What a lane writes they see.
template <class It>
void note_written(It first, It last) {
    if (lockstep::simt::emulator::on_lane()) {
        return;
    }
    if constexpr (std::is_pointer_v<It>) {
        lockstep::simt::hooks::note_written(first, static_cast<std::size_t>(last - first) * sizeof *first);
    } else if constexpr (requires { first.get(); }) {
        note_written(first.get(), last.get());
    }
}

}  // namespace thrust
