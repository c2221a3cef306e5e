#pragma once
// The memory layouts of objects (Section 4.3, Figure 5). Accessors hide the layout, so each method is written once. The
// address of a field is:
//
//   soa         one column per field            column[field] + 4 id
//   aos         one structure per object        column[0] + stride id + 4 field; with a larger stride: aos_padded
//   aosoa       columns in blocks of 32 objects column[0] + stride (id / 32) + 128 field + 4 (id % 32)
//
// Every field has 4 bytes.

#include "common/object_layout/parameters.hpp"

namespace lockstep::object_layout {

// Fields of an agent and of a street, as word indices in an object.
struct AgentField {
    static constexpr unsigned progress = 0, street = 1, max_velocity = 2, tag = 3, count = 4;
};
struct StreetField {
    static constexpr unsigned length = 0, max_velocity = 1, neighbors = 2, count = 3;
};

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct Soa {
    __device__ static unsigned char* at(Objects const& objects, unsigned field, unsigned id) {
        return objects.column[field] + 4ull * id;
    }
};

struct Aos {
    __device__ static unsigned char* at(Objects const& objects, unsigned field, unsigned id) {
        return objects.column[0] + objects.stride * id + 4 * field;
    }
};

struct Aosoa {
    __device__ static unsigned char* at(Objects const& objects, unsigned field, unsigned id) {
        return objects.column[0] + objects.stride * (id / 32) + 128 * field + 4 * (id % 32);
    }
};

template <class T, class Layout>
__device__ inline T& field_of(Objects const& objects, unsigned field, unsigned id) {
    return *reinterpret_cast<T*>(Layout::at(objects, field, id));
}

template <class Layout>
class StreetAt {
public:
    __device__ StreetAt(Objects const& objects, unsigned id) : objects_(objects), id_(id) {}
    __device__ float length() const { return field_of<float, Layout>(objects_, StreetField::length, id_); }
    __device__ float max_velocity() const { return field_of<float, Layout>(objects_, StreetField::max_velocity, id_); }
    __device__ unsigned neighbors() const { return field_of<unsigned, Layout>(objects_, StreetField::neighbors, id_); }
    // The street's index in the table of mode faithful. Streets are stored in the order of their numbers.
    __device__ unsigned number() const { return id_; }

private:
    Objects const& objects_;
    unsigned id_;
};

template <class Layout>
class AgentAt {
public:
    __device__ AgentAt(Objects const& objects, unsigned id) : objects_(objects), id_(id) {}
    __device__ float& progress() const { return field_of<float, Layout>(objects_, AgentField::progress, id_); }
    __device__ unsigned& street() const { return field_of<unsigned, Layout>(objects_, AgentField::street, id_); }
    __device__ float& max_velocity() const { return field_of<float, Layout>(objects_, AgentField::max_velocity, id_); }
    __device__ unsigned& tag() const { return field_of<unsigned, Layout>(objects_, AgentField::tag, id_); }

private:
    Objects const& objects_;
    unsigned id_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
