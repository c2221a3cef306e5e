#pragma once
// The object tracer: Algorithm 2 and the columns that it fills (Sections 4.3, 4.4, 4.6, Appendix A). From the base
// array, through the fields that a parallel section reads or writes, to ids and columns.
//
// Put right: `H[next] <- M[c]` must be H[c][next]; ids are shared within a hierarchy, as Section 4.4 has it; and arrays
// are traced, which the authors' program leaves out. An object gets its id when it is first met, which is the order in
// which the algorithm's queue gives it out.
//
// An id is an index into every column of its hierarchy. Class tags are ClassModel's class numbers; they are kept only
// where objects of several classes were met (polymorphic); elsewhere an id alone names an object.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/object_layout/library/class_model.hpp"

namespace lockstep::object_layout {

inline constexpr std::uint32_t no_id = 0xffffffffu;

// Fields that a section's methods read and write: what is traced, and what travels.
struct Access {
    std::set<std::string> reads;
    std::set<std::string> writes;
    bool declared(std::string const& field) const { return reads.count(field) != 0 || writes.count(field) != 0; }
};

struct Column {
    std::string name;
    FieldDescription const* field = nullptr;
    std::vector<std::uint32_t> words;  // numbers, ids, or ids of arrays
    std::vector<std::uint32_t> tags;   // of polymorphic references
    std::uint64_t nulls = 0;           // objects of other subclasses, which have no such field
};

struct Hierarchy {
    unsigned root = 0;                 // class number
    std::vector<void const*> objects;  // by id
    std::vector<std::uint32_t> tags;   // by id
    std::vector<unsigned> classes;     // met, in order of their numbers
    std::vector<Column> columns;
    bool polymorphic() const { return classes.size() > 1; }
};

// Relations of one object to many (Figure 6): arrays are objects with an offset into the contents of all arrays and a
// size.
struct Arrays {
    std::vector<std::uint32_t> offset, size, contents;
    std::vector<std::uint32_t> tags;  // of contents, where some refer to a polymorphic hierarchy
};

struct ObjectImage {
    ClassModel const* model = nullptr;
    Access access;
    std::vector<Hierarchy> hierarchies;
    Arrays arrays;
    std::vector<std::uint32_t> base_ids;  // of the base array, in its order; the array itself stays as it is

    Hierarchy const& hierarchy_of(std::string const& class_name) const;  // throws bench::Error
    Column const& column(std::string const& field) const;                // throws bench::Error: not read or written
    Column& column(std::string const& field);
    std::uint32_t id_of(void const* object) const;  // linear search; throws bench::Error

    // Bytes of all columns and tags; of those the null values of subclasses; and what columns would take where all
    // objects of all classes shared one numbering (Section 6).
    std::uint64_t bytes() const;
    std::uint64_t null_bytes() const;
    std::uint64_t bytes_with_one_numbering() const;
};

// Objects to start from: pointers to the first class of their hierarchy, and what each is.
struct Roots {
    std::span<void const* const> objects;
    std::vector<std::type_info const*> types;  // one an object, or one for all
};

// Throws bench::Error for a null reference or element, an object of no described class, and more than 2^32 - 2 objects.
ObjectImage trace(ClassModel const& model, Roots const& base, Access const& access);

// What method `name` of every class in the base array reads and writes. Throws bench::Error for a class without it.
Access access_of(ClassModel const& model, Roots const& base, std::string const& name);

// Roots of a base array of pointers.
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

// The words of written columns into the host objects (Section 4.5). References are set to the objects of their ids.
void write_back(ObjectImage const& image, Column const& column);

}  // namespace lockstep::object_layout
