#pragma once
// The object tracer: Algorithm 2 and the columns that it fills (Sections 4.3, 4.4, 4.6, Appendix A). It starts from the
// base array, follows the fields that a parallel section reads or writes, and produces ids and columns.
//
// Corrections to the paper: `H[next] <- M[c]` must be H[c][next]; the classes of a hierarchy share ids, as Section 4.4
// states; and arrays are traced, which the authors' program omits. An object gets its id when it is first met, which is
// the order of the algorithm's queue.
//
// An id is an index into every column of its hierarchy. Class tags are ClassModel's class numbers. They are stored only
// if objects of several classes were met (polymorphic); otherwise the id alone identifies an object.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/object_layout/library/class_model.hpp"

namespace lockstep::object_layout {

inline constexpr std::uint32_t no_id = 0xffffffffu;

// The fields that a section's methods read and write. They determine what is traced and transferred.
struct Access {
    std::set<std::string> reads;
    std::set<std::string> writes;
    bool declared(std::string const& field) const { return reads.count(field) != 0 || writes.count(field) != 0; }
};

struct Column {
    std::string name;
    FieldDescription const* field = nullptr;
    std::vector<std::uint32_t> words;  // numbers, ids, or ids of arrays
    std::vector<std::uint32_t> tags;   // class tags of polymorphic references
    std::uint64_t nulls = 0;           // number of objects of other subclasses, which do not have the field
};

struct Hierarchy {
    unsigned root = 0;                 // class number
    std::vector<void const*> objects;  // by id
    std::vector<std::uint32_t> tags;   // by id
    std::vector<unsigned> classes;     // the classes that were met, by number
    std::vector<Column> columns;
    bool polymorphic() const { return classes.size() > 1; }
};

// One-to-many relations (Figure 6). An array is an object with an offset into the contents of all arrays, and a size.
struct Arrays {
    std::vector<std::uint32_t> offset, size, contents;
    std::vector<std::uint32_t> tags;  // of contents, if some refer to a polymorphic hierarchy
};

struct ObjectImage {
    ClassModel const* model = nullptr;
    Access access;
    std::vector<Hierarchy> hierarchies;
    Arrays arrays;
    std::vector<std::uint32_t> base_ids;  // of the base array, in its order; the array itself does not change

    Hierarchy const& hierarchy_of(std::string const& class_name) const;  // throws bench::Error
    Column const& column(std::string const& field) const;                // throws bench::Error if not read or written
    Column& column(std::string const& field);
    std::uint32_t id_of(void const* object) const;  // linear search; throws bench::Error

    // Bytes of all columns and tags; bytes of the null values among them; and bytes of the columns if the objects of
    // all classes shared one numbering (Section 6).
    std::uint64_t bytes() const;
    std::uint64_t null_bytes() const;
    std::uint64_t bytes_with_one_numbering() const;
};

// The objects to start from: pointers to them as the first class of their hierarchy, and their classes.
struct Roots {
    std::span<void const* const> objects;
    std::vector<std::type_info const*> types;  // one per object, or one for all
};

// Throws bench::Error for a null reference or element, an object whose class is not described, and more than 2^32 - 2
// objects.
ObjectImage trace(ClassModel const& model, Roots const& base, Access const& access);

// Returns the fields that method `name` reads and writes in any class of the base array. Throws bench::Error if a class
// does not have the method.
Access access_of(ClassModel const& model, Roots const& base, std::string const& name);

// Returns the roots for a base array of pointers.
template <class Root>
Roots roots_of(std::span<Root* const> base) {
    Roots roots;
    roots.objects = {reinterpret_cast<void const* const*>(base.data()), base.size()};
    if constexpr (std::is_polymorphic_v<Root>)
        roots.types.reserve(base.size());
    for (Root const* const object : base) {
        if constexpr (std::is_polymorphic_v<Root>) {
            roots.types.push_back(object == nullptr ? nullptr : &typeid(*object));
        } else {
            roots.types.assign(1, &typeid(Root));
            break;
        }
    }
    return roots;
}

// Copies the words of a written column into the host objects (Section 4.5). A reference is set to the object with its
// id.
void write_back(ObjectImage const& image, Column const& column);

// Reads a column of numbers from the host objects again. Returns whether a word changed.
bool read_again(ObjectImage const& image, Column& column);

}  // namespace lockstep::object_layout
