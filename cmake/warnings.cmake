# Warnings are errors for both compilers. The options are directory-wide, so they apply to every target of this tree.

# -Wno-unknown-pragmas: kernels use `#pragma unroll`, which only nvcc knows.
set(lockstep_warnings -Wall -Wno-unknown-pragmas -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # These warnings depend on inlining: g++ 12 and 13 report false overlaps and overflows inside std::string and
    # std::vector. AddressSanitizer detects the real ones.
    list(APPEND lockstep_warnings -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
    # Warns about types with internal linkage in headers. In a unity build, the included sources look like headers.
    list(APPEND lockstep_warnings -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # False positives: it assumes that any reference returned by a function refers to the temporary passed to that
    # function.
    list(APPEND lockstep_warnings -Wno-dangling-reference)
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${lockstep_warnings};-Wpedantic;-Wconversion;-Wno-sign-conversion>")

# Without -Wpedantic: the code that nvcc passes to the host compiler contains many GNU line markers.
list(JOIN lockstep_warnings "," lockstep_host_warnings)
add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=${lockstep_host_warnings}>")
