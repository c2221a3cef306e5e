#pragma once
// The structures of DLPack 0.8 (https://dmlc.github.io/dlpack), by which array libraries of Python pass on memory
// without a copy. python/lockstep/_dlpack.py declares the same for ctypes.

#include <cstdint>

namespace lockstep::python {

enum class DeviceType : std::int32_t { cpu = 1, cuda = 2 };

struct Device {
    DeviceType type = DeviceType::cpu;
    std::int32_t index = 0;
};

enum class TypeCode : std::uint8_t { integer = 0, natural = 1, real = 2, boolean = 6 };

struct ElementType {
    TypeCode code = TypeCode::natural;
    std::uint8_t bits = 32;
    std::uint16_t lanes = 1;
};

struct DlTensor {
    void* data = nullptr;
    Device device;
    std::int32_t dimensions = 0;
    ElementType type;
    std::int64_t* shape = nullptr;
    std::int64_t* strides = nullptr;  // in elements; null: rows are contiguous
    std::uint64_t byte_offset = 0;
};

struct DlManagedTensor {
    DlTensor tensor;
    void* manager = nullptr;
    void (*deleter)(DlManagedTensor*) = nullptr;
};

}  // namespace lockstep::python
