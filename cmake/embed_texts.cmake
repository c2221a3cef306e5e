# lockstep_embed_texts(<output.cpp> <namespace> <function> <header>...)
# Writes a C++ file that defines `std::span<simt::DeviceHeader const> <function>()`, which returns each header's name
# and text. Names are relative to the project's root.
function(lockstep_embed_texts output namespace function)
    set(entries "")
    foreach(header IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${header}")
        file(READ "${PROJECT_SOURCE_DIR}/${header}" text)
        string(APPEND entries "    {\"${header}\", R\"lockstep(${text})lockstep\"},\n")
    endforeach()
    file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT
"#include \"harness/simt/device_headers.hpp\"\n
namespace @namespace@ {
namespace {
constexpr lockstep::simt::DeviceHeader @function@_texts[] = {
@entries@};
}  // namespace\n
std::span<lockstep::simt::DeviceHeader const> @function@();
std::span<lockstep::simt::DeviceHeader const> @function@() { return @function@_texts; }\n
}  // namespace @namespace@\n")
endfunction()
