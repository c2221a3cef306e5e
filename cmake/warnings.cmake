# Warnings are errors, for both compilers. Directory-wide, so that no target of ours escapes them.

# Unknown pragmas are `#pragma unroll`, which kernels say to nvcc.
set(lockstep_warnings -Wall -Wno-unknown-pragmas -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Their verdict rests on what the optimiser inlined: g++ 12 and 13 see overlaps and overflows in std::string's and
    # std::vector's own code. AddressSanitizer watches for the real ones.
    list(APPEND lockstep_warnings -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
    # Speaks of headers that have types of an anonymous namespace; a source among several looks like one.
    list(APPEND lockstep_warnings -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # Takes every reference from a function that was given a temporary for one to that temporary.
    list(APPEND lockstep_warnings -Wno-dangling-reference)
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${lockstep_warnings};-Wpedantic;-Wconversion;-Wno-sign-conversion>")

# Not -Wpedantic: the code that nvcc hands to the host compiler is full of GNU line markers.
list(JOIN lockstep_warnings "," lockstep_host_warnings)
add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=${lockstep_host_warnings}>")
