# Writes a C++ file that holds each of `headers` as text.
set(lockstep_device_headers
    harness/simt/kernel.hpp
    harness/simt/cuda_kernel.hpp
    harness/simt/indices.hpp
    harness/random/bounded.hpp
    harness/random/gf2.hpp
    harness/random/logarithm.hpp
    harness/random/philox.hpp
    harness/random/streams.hpp
    harness/random/taus88.hpp
    harness/random/uniform.hpp
    harness/random/xorwow.hpp
)
set(entries "")
foreach(header IN LISTS lockstep_device_headers)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${header}")
    file(READ "${PROJECT_SOURCE_DIR}/${header}" text)
    string(APPEND entries "    {\"${header}\", R\"lockstep(${text})lockstep\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/device_headers.cpp" @ONLY CONTENT
"#include \"harness/simt/device_headers.hpp\"\n
namespace lockstep::simt {
namespace {
constexpr DeviceHeader headers[] = {
@entries@};
}  // namespace\n
std::span<DeviceHeader const> device_headers() { return headers; }\n
}  // namespace lockstep::simt\n")
