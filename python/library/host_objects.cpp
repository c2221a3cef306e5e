#include "python/library/host_objects.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "common/object_layout/job_order.hpp"
#include "python/library/cpython.hpp"

// Objects and their places: open addressing, since each object is looked up several times.
struct lockstep_host_numbering {
    struct Entry {
        PyObject* object = nullptr;
        std::uint32_t place = 0;
    };
    std::vector<Entry> entries = std::vector<Entry>(1024);
    std::size_t size = 0;

    // The entry of the object, or the empty one where it belongs.
    std::size_t at(PyObject* object) const {
        auto const address = reinterpret_cast<std::uintptr_t>(object);
        std::size_t slot = (address >> 4) * 0x9e3779b97f4a7c15u >> 20 & (entries.size() - 1);
        while (entries[slot].object != nullptr && entries[slot].object != object)
            slot = (slot + 1) & (entries.size() - 1);
        return slot;
    }
    bool insert(PyObject* object, std::uint32_t place) {
        if (2 * (size + 1) > entries.size())
            grow();
        Entry& entry = entries[at(object)];
        if (entry.object == object)
            return false;
        entry = {object, place};
        ++size;
        return true;
    }

private:
    void grow() {
        std::vector<Entry> const before = std::move(entries);
        entries = std::vector<Entry>(4 * before.size());
        for (Entry const& entry : before) {
            if (entry.object != nullptr)
                entries[at(entry.object)] = entry;
        }
    }
};

namespace lockstep::python {

namespace {

constexpr std::uint32_t no_id = 0xffffffffu;

bool has_class(PyObject* object, PyObject* kind) {
    Reference const type(PyObject_Type(object));
    return type.get() == kind;
}

template <class T>
T value_at(void const* column, std::uint64_t place) {
    T value;
    std::memcpy(&value, static_cast<char const*>(column) + place * sizeof(T), sizeof(T));
    return value;
}

// Makes Python's values from a column.
struct Maker {
    char code;
    PyObject* make;
    PyObject* none;
    PyObject* float_class;

    std::size_t bytes() const {
        return code == 'q' || code == 'd' ? 8 : code == 'h' ? 2 : code == 'B' || code == 'b' ? 1 : 4;
    }
    // A new reference, or null with an exception set.
    PyObject* operator()(void const* column, std::uint64_t place) const {
        switch (code) {
            case 'q':
                return PyLong_FromLongLong(value_at<long long>(column, place));
            case 'd':
                return PyFloat_FromDouble(value_at<double>(column, place));
            case 'B':
                return PyBool_FromLong(value_at<unsigned char>(column, place));
            case 'b':
                return PyLong_FromLongLong(value_at<signed char>(column, place));
            case 'h':
                return PyLong_FromLongLong(value_at<short>(column, place));
            case 'i':
                return PyLong_FromLongLong(value_at<int>(column, place));
            case 'f':
                return single(value_at<float>(column, place));
            default:
                return object(value_at<std::uint32_t>(column, place));
        }
    }

private:
    PyObject* single(float value) const {
        Reference const number(PyFloat_FromDouble(static_cast<double>(value)));
        return number ? new_float(make, number.get()) : nullptr;
    }
    // float.__new__(make, number): the value is rounded already.
    PyObject* new_float(PyObject* kind, PyObject* number) const {
        using New = PyObject* (*)(PyObject*, PyObject*, PyObject*);
        constexpr int tp_new = 65;  // of CPython's typeslots.h, which is part of the stable ABI
        static auto const make_float = reinterpret_cast<New>(PyType_GetSlot(float_class, tp_new));
        Reference const arguments(PyTuple_Pack(1, number));
        return arguments ? make_float(kind, arguments.get(), nullptr) : nullptr;
    }
    PyObject* object(std::uint32_t id) const {
        PyObject* const found = id == no_id ? none : PyList_GetItem(make, static_cast<std::ptrdiff_t>(id));
        if (found != nullptr)
            Py_IncRef(found);
        return found;
    }
};

}  // namespace

}  // namespace lockstep::python

using lockstep::python::has_class;
using lockstep::python::Maker;
using lockstep::python::no_id;
using lockstep::python::Reference;

lockstep_host_numbering* lockstep_host_numbering_make() { return new lockstep_host_numbering; }

void lockstep_host_numbering_delete(lockstep_host_numbering* numbering) { delete numbering; }

void lockstep_host_find(lockstep_host_numbering* numbering, PyObject* values, PyObject* kind, PyObject* found) {
    auto place = static_cast<std::uint32_t>(PyList_Size(found));
    for (std::ptrdiff_t i = 0; i < PyList_Size(values); ++i) {
        PyObject* const value = PyList_GetItem(values, i);
        if (has_class(value, kind) && numbering->insert(value, place)) {
            ++place;
            if (PyList_Append(found, value) != 0)
                return;
        }
    }
}

void lockstep_host_ids(lockstep_host_numbering const* numbering, PyObject* values, PyObject* classes,
                       std::uint32_t const* first, std::uint32_t const* tags, std::uint32_t* ids,
                       std::uint32_t* of_class) {
    std::ptrdiff_t const known = PyList_Size(classes);
    std::ptrdiff_t latest = 0;
    for (std::ptrdiff_t i = 0; i < PyList_Size(values); ++i) {
        PyObject* const value = PyList_GetItem(values, i);
        lockstep_host_numbering::Entry const& entry = numbering->entries[numbering->at(value)];
        ids[i] = no_id;
        of_class[i] = 0;
        if (entry.object == nullptr)
            continue;
        Reference const type(PyObject_Type(value));
        if (PyList_GetItem(classes, latest) != type.get()) {
            for (latest = 0; latest + 1 < known && PyList_GetItem(classes, latest) != type.get();)
                ++latest;
        }
        ids[i] = first[latest] + entry.place;
        of_class[i] = tags[latest];
    }
}

int lockstep_host_distinct(PyObject* values) {
    lockstep_host_numbering seen;
    for (std::ptrdiff_t i = 0; i < PyList_Size(values); ++i) {
        if (!seen.insert(PyList_GetItem(values, i), 0))
            return 0;
    }
    return 1;
}

PyObject* lockstep_host_values(PyObject* members, PyObject* name) {
    std::ptrdiff_t const size = PyList_Size(members);
    PyObject* const values = PyList_New(size);
    for (std::ptrdiff_t i = 0; values != nullptr && i < size; ++i) {
        PyObject* const value = PyObject_GetAttr(PyList_GetItem(members, i), name);
        if (value == nullptr) {
            Py_DecRef(values);
            return nullptr;
        }
        PyList_SetItem(values, i, value);
    }
    return values;
}

int lockstep_host_changed(PyObject* members, PyObject* kind, PyObject* names, PyObject* values, PyObject* changed) {
    std::ptrdiff_t const fields = PyList_Size(names);
    for (std::ptrdiff_t i = 0; i < PyList_Size(members); ++i) {
        PyObject* const member = PyList_GetItem(members, i);
        if (!has_class(member, kind))
            return 0;
        for (std::ptrdiff_t field = 0; field < fields; ++field) {
            Reference const value(PyObject_GetAttr(member, PyList_GetItem(names, field)));
            if (!value)
                return 0;
            if (value.get() == PyList_GetItem(PyList_GetItem(values, field), i))
                continue;
            Reference const position(PyLong_FromLongLong(i));
            if (!position || PyList_Append(PyList_GetItem(changed, field), position.get()) != 0)
                return 0;
        }
    }
    return 1;
}

int lockstep_host_same_elements(PyObject* lists, std::uint32_t const* sizes, PyObject* elements) {
    std::ptrdiff_t place = 0;
    for (std::ptrdiff_t i = 0; i < PyList_Size(lists); ++i) {
        PyObject* const list = PyList_GetItem(lists, i);
        std::ptrdiff_t const size = PySequence_Size(list);
        if (size != static_cast<std::ptrdiff_t>(sizes[i]))
            return 0;
        for (std::ptrdiff_t k = 0; k < size; ++k) {
            Reference const element(PySequence_GetItem(list, k));
            if (!element || element.get() != PyList_GetItem(elements, place++))
                return 0;
        }
    }
    return 1;
}

std::int64_t lockstep_host_set(PyObject* members, PyObject* name, PyObject* values, char code, void const* before,
                               void const* now, std::uint64_t first, PyObject* make, PyObject* none,
                               PyObject* float_class) {
    Maker const maker = {code, make, none, float_class};
    std::size_t const bytes = maker.bytes();
    bool const keeps = PyList_Size(values) != 0;
    std::int64_t set = 0;
    for (std::ptrdiff_t i = 0; i < PyList_Size(members); ++i) {
        std::uint64_t const place = first + static_cast<std::uint64_t>(i);
        if (before != nullptr && std::memcmp(static_cast<char const*>(before) + place * bytes,
                                             static_cast<char const*>(now) + place * bytes, bytes) == 0)
            continue;
        PyObject* const value = maker(now, place);
        if (value == nullptr)
            return -1;
        int const failed = PyObject_SetAttr(PyList_GetItem(members, i), name, value);
        if (keeps && failed == 0)
            PyList_SetItem(values, i, value);
        else
            Py_DecRef(value);
        if (failed != 0)
            return -1;
        ++set;
    }
    return set;
}

std::uint64_t lockstep_host_job_order(std::uint32_t const* tags, std::uint64_t count, std::uint32_t types,
                                      std::uint32_t* order) {
    std::vector<unsigned> const made = lockstep::object_layout::cpu::job_array({tags, count}, types, 32);
    if (order != nullptr)
        std::copy(made.begin(), made.end(), order);
    return made.size();
}
