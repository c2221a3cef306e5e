#pragma once
// Objects that a section makes, and lists that grow (Section 7.2). A lane that finds no memory left stops; the host
// undoes the section, and runs it again with more.

#include "kernels/object_layout/compiled/section.hpp"

namespace lockstep::object_layout::compiled {

// Memory for objects of a class, and of those that share ids with it, which a section makes. Their ids follow those of
// the objects that exist.
struct Made {
    u64* count;
    u32* tags;
    u64 first;
    u64 room;
};

// Memory behind the contents of all lists of a field, for lists that grow.
struct Pool {
    u64* used;
    u64 room;
};

// The lists of a field that methods change in length.
struct Lists {
    u32* first;
    u32* size;
    u32* capacity;
};

}  // namespace lockstep::object_layout::compiled

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// The id of a new object. Which one depends on the order of lanes; no method sees ids.
__device__ inline u32 make(Lane& lane, Made const& made, u32 tag) {
    u64 const place = lane.failed ? made.room : take(made.count, 1);
    if (place >= made.room) {
        lane.no_space();
        return static_cast<u32>(made.first + made.room);  // the columns have this entry, too
    }
    made.tags[place] = tag;
    return static_cast<u32>(made.first + place);
}

// Lists that grow.
__device__ inline Slice slice_of(Lists const& lists, u32 list) { return {lists.first[list], lists.size[list]}; }

// The place of one more element at the end, or `none`. A list that is full moves into new memory of twice its size.
template <class Copy>
__device__ inline u32 appended(Lane& lane, Lists const& lists, u32 list, Pool const& pool, Copy const& copy) {
    u32 const size = lists.size[list];
    if (lane.failed) {
        return none;
    }
    if (size == lists.capacity[list]) {
        u32 const bigger = size < 2 ? 4 : 2 * size;
        u64 const at = take(pool.used, bigger);
        if (at + bigger > pool.room) {
            lane.no_space();
            return none;
        }
        for (u32 i = 0; i < size; ++i) {
            copy(static_cast<u32>(at) + i, lists.first[list] + i);
        }
        lists.first[list] = static_cast<u32>(at);
        lists.capacity[list] = bigger;
    }
    lists.size[list] = size + 1;
    return lists.first[list] + size;
}

// The place of the last element, which is no longer in the list.
__device__ inline u32 popped(Lane& lane, Lists const& lists, u32 list, u32 site) {
    u32 const size = lists.size[list];
    if (size == 0) {
        lane.fail(site);
        return 0;
    }
    lists.size[list] = size - 1;
    return lists.first[list] + size - 1;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
