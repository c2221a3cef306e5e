#pragma once
// Collectives of cooperative groups: reduce, scans, elect, asynchronous copies (which are complete at once).

#include "harness/simt/cuda_api/cooperative_groups.hpp"

namespace cooperative_groups {

// Operations, also without a type. `less` gives the smaller value and `greater` the greater one.
#define LOCKSTEP_GROUP_OPERATION(name, expression)          \
    template <class T = void>                               \
    struct name {                                           \
        T operator()(T a, T b) const { return expression; } \
    };                                                      \
    template <>                                             \
    struct name<void> {                                     \
        template <class T>                                  \
        T operator()(T a, T b) const {                      \
            return expression;                              \
        }                                                   \
    };
LOCKSTEP_GROUP_OPERATION(plus, a + b)
LOCKSTEP_GROUP_OPERATION(less, b < a ? b : a)
LOCKSTEP_GROUP_OPERATION(greater, a < b ? b : a)
LOCKSTEP_GROUP_OPERATION(bit_and, a& b)
LOCKSTEP_GROUP_OPERATION(bit_or, a | b)
LOCKSTEP_GROUP_OPERATION(bit_xor, a ^ b)
#undef LOCKSTEP_GROUP_OPERATION

// The values of all lanes of the group joined, returned to all of them.
template <class Group, class T, class Op>
T reduce(Group const& group, T value, Op op, LOCKSTEP_AT) {
    coalesced_group const lanes(group.lanes());
    unsigned const rank = lanes.thread_rank();
    unsigned const size = lanes.size();
    for (unsigned distance = 1; distance < size; distance *= 2) {
        T const other = lanes.shfl_down(value, distance, site);
        if (rank % (2 * distance) == 0 && rank + distance < size) {
            value = op(value, other);
        }
    }
    return lanes.shfl(value, 0, site);
}

template <class Group, class T, class Op>
T inclusive_scan(Group const& group, T value, Op op, LOCKSTEP_AT) {
    coalesced_group const lanes(group.lanes());
    unsigned const rank = lanes.thread_rank();
    for (unsigned distance = 1; distance < lanes.size(); distance *= 2) {
        T const below = lanes.shfl_up(value, distance, site);
        if (rank >= distance) {
            value = op(below, value);
        }
    }
    return value;
}
template <class Group, class T>
T inclusive_scan(Group const& group, T value, LOCKSTEP_AT) {
    return inclusive_scan(group, value, plus<T>{}, site);
}

// The first lane of the group gets T{}.
template <class Group, class T, class Op>
T exclusive_scan(Group const& group, T value, Op op, LOCKSTEP_AT) {
    coalesced_group const lanes(group.lanes());
    T const below = lanes.shfl_up(inclusive_scan(group, value, op, site), 1, site);
    return lanes.thread_rank() == 0 ? T{} : below;
}
template <class Group, class T>
T exclusive_scan(Group const& group, T value, LOCKSTEP_AT) {
    return exclusive_scan(group, value, plus<T>{}, site);
}

template <class Group, class F>
void invoke_one(Group const& group, F&& f) {
    if (group.thread_rank() == 0) {
        f();
    }
}

// All threads of the group copy.
template <class Group, class T>
void memcpy_async(Group const& group, T* target, T const* source, std::size_t bytes) {
    auto* const to = reinterpret_cast<char*>(target);
    auto const* const from = reinterpret_cast<char const*>(source);
    for (std::size_t i = group.thread_rank(); i < bytes; i += group.size()) {
        to[i] = from[i];
    }
}
template <class Group>
void wait(Group const& group, LOCKSTEP_AT) {
    group.sync(site);
}

}  // namespace cooperative_groups
