#pragma once
// The columns that a section's kernel accesses. On CUDA, a field is a plain memory access. The emulator checks each
// access: it reports reads and writes that the section's methods do not declare, and ids beyond the column.

#include "harness/simt/kernel.hpp"

#if defined(LOCKSTEP_EMULATOR)
#include <source_location>
#include <string>
#endif

namespace lockstep::object_layout {

inline constexpr unsigned char may_read = 1;
inline constexpr unsigned char may_write = 2;

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

template <class T>
class FieldAt;

// A column in device memory. `column[id]` converts to T and accepts assignments of T.
template <class T>
struct DeviceColumn {
    T* data = nullptr;
    unsigned size = 0;
    unsigned char rights = 0;
    char const* name = nullptr;  // in host memory; for the emulator's messages

    __device__ FieldAt<T> operator[](unsigned id) const { return FieldAt<T>(*this, id); }
};

template <class T>
class FieldAt {
public:
    __device__ FieldAt(DeviceColumn<T> const& column, unsigned id) : column_(column), id_(id) {}

    __device__ operator T() const {  // NOLINT(google-explicit-constructor): stands for the field
        check(may_read, "is read but not declared to be");
        return column_.data[id_];
    }
    __device__ FieldAt const& operator=(T value) const {
        check(may_write, "is written but not declared to be");
        column_.data[id_] = value;
        return *this;
    }
    FieldAt(FieldAt const&) = default;
    __device__ FieldAt const& operator=(FieldAt const& other) const { return *this = static_cast<T>(other); }

private:
    __device__ void check([[maybe_unused]] unsigned char right, [[maybe_unused]] char const* what) const {
#if defined(LOCKSTEP_EMULATOR)
        auto const here = std::source_location::current();
        std::string const name = column_.name == nullptr ? "" : std::string(" ") + column_.name;
        if ((column_.rights & right) == 0) {
            simt::emulator::refuse(("field" + name + " " + what + " (the method must declare it)").c_str(), here);
        }
        if (id_ >= column_.size) {
            simt::emulator::refuse(("id " + std::to_string(id_) + " is beyond the column" + name + " (it has " +
                                    std::to_string(column_.size) + " objects)")
                                       .c_str(),
                                   here);
        }
#endif
    }

    DeviceColumn<T> column_;
    unsigned id_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
