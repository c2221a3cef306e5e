# lockstep_embed_texts(<output.cpp> <namespace> <function> <file>...)
# Writes a C++ file that defines `std::span<simt::EmbeddedText const> <function>()`: the name and the text of each file, in
# the listed order. Names are relative to the project's root.
function(lockstep_embed_texts output namespace function)
    set(entries "")
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
        file(READ "${PROJECT_SOURCE_DIR}/${file}" text)
        string(APPEND entries "    {\"${file}\", R\"lockstep(${text})lockstep\"},\n")
    endforeach()
    file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT
"#include <span>

#include \"harness/simt/embedded_text.hpp\"\n
namespace @namespace@ {
namespace {
constexpr lockstep::simt::EmbeddedText @function@_texts[] = {
@entries@};
}  // namespace\n
std::span<lockstep::simt::EmbeddedText const> @function@();
std::span<lockstep::simt::EmbeddedText const> @function@() { return @function@_texts; }\n
}  // namespace @namespace@\n")
endfunction()

# lockstep_embed_in(<target> <namespace> <function> <file>...): the same, as a source of the target.
function(lockstep_embed_in target namespace function)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
    lockstep_embed_texts("${output}" ${namespace} ${function} ${ARGN})
    target_sources(${target} PRIVATE "${output}")
endfunction()
