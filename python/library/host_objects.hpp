#pragma once
// The walk over Python objects that lockstep.objects needs to make columns of them, and the way back (Algorithm 2,
// Section 4.5), for arrays with millions of objects. Python calls these functions with the interpreter's lock held
// (ctypes.PyDLL). Where one fails, it leaves Python's exception set, which ctypes raises.
//
// `members`, `values`, `found` and the like are lists.

#include <cstdint>

struct PyObject;
struct lockstep_host_numbering;

// A numbering of objects: each has a place among those of its class. The caller keeps the objects alive.
extern "C" lockstep_host_numbering* lockstep_host_numbering_make();
extern "C" void lockstep_host_numbering_delete(lockstep_host_numbering* numbering);
// Appends to `found` each value of exactly that class that has no number yet.
extern "C" void lockstep_host_find(lockstep_host_numbering* numbering, PyObject* values, PyObject* kind,
                                   PyObject* found);
// Stores the id of each value, first[c] + its place, where `classes` is a list and c its class's index in it; for an
// object of no number, such as None, 2^32 - 1. Stores tags[c] in `of_class`, or 0.
extern "C" void lockstep_host_ids(lockstep_host_numbering const* numbering, PyObject* values, PyObject* classes,
                                  std::uint32_t const* first, std::uint32_t const* tags, std::uint32_t* ids,
                                  std::uint32_t* of_class);
// Returns 1 if no object is twice among the values.
extern "C" int lockstep_host_distinct(PyObject* values);

// A new list of the values that a field has in the members.
extern "C" PyObject* lockstep_host_values(PyObject* members, PyObject* name);
// Compares the fields of members with the objects that `values` has for each name, by identity: numbers and None are
// immutable. Appends the positions that differ to the list of the name in `changed`. Returns 0 if a member is not of
// exactly the class `kind`, or a field is missing.
extern "C" int lockstep_host_changed(PyObject* members, PyObject* kind, PyObject* names, PyObject* values,
                                     PyObject* changed);
// Returns 1 if the lists or tuples have those sizes, and those objects as elements, one list after another.
extern "C" int lockstep_host_same_elements(PyObject* lists, std::uint32_t const* sizes, PyObject* elements);

// Sets a field of those members, of which the first is number `first` in the column, whose bytes differ between
// `before` and `now` (of all, if `before` is null), and its entry in `values` unless that list is empty. `code` is that
// of Python's module array: q, d, f or B, for an id I. For f, `make` is the class float32, a subclass of `float_class`;
// for I, the list of the objects that have ids.
// Returns the number of fields set, or -1.
extern "C" std::int64_t lockstep_host_set(PyObject* members, PyObject* name, PyObject* values, char code,
                                          void const* before, void const* now, std::uint64_t first, PyObject* make,
                                          PyObject* none, PyObject* float_class);

// The size of the job array of Algorithm 1 for elements with these class tags, all below `types`, and the array if
// `order` is not null.
extern "C" std::uint64_t lockstep_host_job_order(std::uint32_t const* tags, std::uint64_t count, std::uint32_t types,
                                                 std::uint32_t* order);
