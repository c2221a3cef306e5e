#pragma once
// A class of objects in device memory whose layout is one word of one line:
//
//   enum : unsigned { name, energy, traits };
//   using Creatures = Record<Columns, unsigned long long, float, float[2]>;
//   creatures.get<energy>(id) = 2;  creatures.get<traits>(id, 1) = 3;
//
//   Columns       a column per field, and per element of a fixed array (Section 4.3)
//   Rows<bytes>   object after object; `bytes` pads an object, 0 does not
//   Blocks<n>     columns of n objects at a time; n is 8, 16, 32, 64, 128 or 256
//
// A field is a number of 1, 2, 4 or 8 bytes, or a fixed array of them. All offsets but the id are constants.

#include <type_traits>

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

// Capacities are multiples of this, so that every column is aligned and every block is whole.
inline constexpr unsigned capacity_step = 256;

struct Columns {};
template <unsigned bytes = 0>
struct Rows {};
template <unsigned n = 32>
struct Blocks {
    static_assert(n % 8 == 0 && capacity_step % n == 0);
};

template <class T>
struct FieldType {
    using Element = T;
    static constexpr unsigned elements = 1;
};
template <class T, decltype(sizeof(0)) n>
struct FieldType<T[n]> {
    using Element = T;
    static constexpr unsigned elements = static_cast<unsigned>(n);
};

template <class Field>
inline constexpr unsigned bytes_of_element = static_cast<unsigned>(sizeof(typename FieldType<Field>::Element));
template <class Field>
inline constexpr unsigned bytes_of_field = bytes_of_element<Field>* FieldType<Field>::elements;

template <unsigned field, class First, class... Rest>
struct FieldAtIndex : FieldAtIndex<field - 1, Rest...> {};
template <class First, class... Rest>
struct FieldAtIndex<0, First, Rest...> : FieldType<First> {};

// The bytes of the fields before `field`, without padding; of all fields if it is their number.
template <class... Fields>
__host__ __device__ constexpr unsigned bytes_before(unsigned field) {
    unsigned sum = 0;
    unsigned index = 0;
    ((sum += index++ < field ? bytes_of_field<Fields> : 0), ...);
    return sum;
}

// The offset of a field in a structure, with the alignment of C++; of the end, padded, if it is the number of fields.
template <class... Fields>
__host__ __device__ constexpr unsigned row_offset(unsigned field) {
    unsigned end = 0;
    unsigned index = 0;
    unsigned found = 0;
    unsigned alignment = 1;
    auto const add = [&](unsigned bytes, unsigned elements) {
        end = (end + bytes - 1) / bytes * bytes;
        found = index++ == field ? end : found;
        end += bytes * elements;
        alignment = alignment < bytes ? bytes : alignment;
    };
    (add(bytes_of_element<Fields>, FieldType<Fields>::elements), ...);
    return field < sizeof...(Fields) ? found : (end + alignment - 1) / alignment * alignment;
}

// The parts of an address: base, and factors of the id, of the element of an array, and of the capacity.
template <class Layout, class... Fields>
struct LayoutOf;

template <class... Fields>
struct LayoutOf<Columns, Fields...> {
    template <unsigned field, unsigned size>
    __host__ __device__ static unsigned long long offset(unsigned capacity, unsigned id, unsigned element) {
        constexpr unsigned before = bytes_before<Fields...>(field);
        return 1ull * before * capacity + (1ull * element * capacity + id) * size;
    }
    static constexpr unsigned bytes_per_object = bytes_before<Fields...>(sizeof...(Fields));
};

template <unsigned bytes, class... Fields>
struct LayoutOf<Rows<bytes>, Fields...> {
    static constexpr unsigned packed = row_offset<Fields...>(sizeof...(Fields));
    static_assert(bytes % 8 == 0, "padded objects stay aligned");
    static constexpr unsigned bytes_per_object = packed < bytes ? bytes : packed;
    template <unsigned field, unsigned size>
    __host__ __device__ static unsigned long long offset(unsigned, unsigned id, unsigned element) {
        constexpr unsigned start = row_offset<Fields...>(field);
        return 1ull * bytes_per_object * id + start + element * size;
    }
};

template <unsigned n, class... Fields>
struct LayoutOf<Blocks<n>, Fields...> {
    static constexpr unsigned bytes_per_object = bytes_before<Fields...>(sizeof...(Fields));
    template <unsigned field, unsigned size>
    __host__ __device__ static unsigned long long offset(unsigned, unsigned id, unsigned element) {
        constexpr unsigned before = bytes_before<Fields...>(field);
        return 1ull * (id / n) * (n * bytes_per_object) + n * before + (element * n + id % n) * size;
    }
};

template <class Layout, class... Fields>
struct Record {
    static_assert(((sizeof(typename FieldType<Fields>::Element) <= 8 &&
                    std::is_arithmetic_v<typename FieldType<Fields>::Element>)&&...),
                  "a field is a number of at most 8 bytes, or an array of them");
    template <unsigned field>
    using Element = typename FieldAtIndex<field, Fields...>::Element;
    static constexpr unsigned fields = sizeof...(Fields);

    // Objects 0 .. capacity - 1.
    unsigned char* memory = nullptr;
    unsigned capacity = 0;

    template <unsigned field>
    __host__ __device__ Element<field>& get(unsigned id, unsigned element = 0) const {
        using At = LayoutOf<Layout, Fields...>;
        return *reinterpret_cast<Element<field>*>(
            memory + At::template offset<field, static_cast<unsigned>(sizeof(Element<field>))>(capacity, id, element));
    }
    // Copies object `from` of this class to object `to` of `target`.
    __host__ __device__ void copy_object(unsigned from, Record const& target, unsigned to) const {
        copy_fields<0>(from, target, to);
    }
    static unsigned rounded(unsigned long long objects) {
        return static_cast<unsigned>((objects + capacity_step - 1) / capacity_step * capacity_step);
    }
    static unsigned long long bytes(unsigned rounded_capacity) {
        return 1ull * LayoutOf<Layout, Fields...>::bytes_per_object * rounded_capacity;
    }

private:
    template <unsigned field>
    __host__ __device__ void copy_fields(unsigned from, Record const& target, unsigned to) const {
        if constexpr (field < fields) {
            for (unsigned element = 0; element < FieldAtIndex<field, Fields...>::elements; ++element) {
                target.template get<field>(to, element) = get<field>(from, element);
            }
            copy_fields<field + 1>(from, target, to);
        }
    }
};

}  // namespace lockstep::object_layout
