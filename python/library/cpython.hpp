#pragma once
// The functions of CPython's stable ABI (PEP 384) that host_objects.cpp calls. They are declared here, so that the
// build needs no headers of Python, and weak, because the interpreter that loads the library has them: other programs
// may load the library, too.

#include <cstddef>

struct PyObject;

#define LOCKSTEP_PYTHON extern "C" __attribute__((weak))

LOCKSTEP_PYTHON void Py_IncRef(PyObject*);
LOCKSTEP_PYTHON void Py_DecRef(PyObject*);
LOCKSTEP_PYTHON PyObject* PyObject_Type(PyObject*);
LOCKSTEP_PYTHON PyObject* PyObject_GetAttr(PyObject*, PyObject*);
LOCKSTEP_PYTHON int PyObject_SetAttr(PyObject*, PyObject*, PyObject*);
LOCKSTEP_PYTHON void* PyType_GetSlot(PyObject*, int);
LOCKSTEP_PYTHON PyObject* PyTuple_Pack(std::ptrdiff_t, ...);
LOCKSTEP_PYTHON PyObject* PyList_New(std::ptrdiff_t);
LOCKSTEP_PYTHON std::ptrdiff_t PyList_Size(PyObject*);
LOCKSTEP_PYTHON PyObject* PyList_GetItem(PyObject*, std::ptrdiff_t);       // borrowed
LOCKSTEP_PYTHON int PyList_SetItem(PyObject*, std::ptrdiff_t, PyObject*);  // takes the reference
LOCKSTEP_PYTHON int PyList_Append(PyObject*, PyObject*);
LOCKSTEP_PYTHON std::ptrdiff_t PySequence_Size(PyObject*);
LOCKSTEP_PYTHON PyObject* PySequence_GetItem(PyObject*, std::ptrdiff_t);
LOCKSTEP_PYTHON PyObject* PyFloat_FromDouble(double);
LOCKSTEP_PYTHON PyObject* PyLong_FromLongLong(long long);
LOCKSTEP_PYTHON PyObject* PyBool_FromLong(long);

#undef LOCKSTEP_PYTHON

namespace lockstep::python {

// A reference that its scope gives back.
class Reference {
public:
    explicit Reference(PyObject* object) : object_(object) {}
    Reference(Reference const&) = delete;
    Reference& operator=(Reference const&) = delete;
    ~Reference() {
        if (object_ != nullptr)
            Py_DecRef(object_);
    }
    PyObject* get() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

private:
    PyObject* object_;
};

}  // namespace lockstep::python
