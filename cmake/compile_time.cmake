# Reduces build time without changing results. Host code that is never timed is compiled with little optimisation.
# Headers are parsed once per build (precompiled) and, if CMAKE_UNITY_BUILD is ON (see CMakePresets.json; ./lockstep
# builds so), once for several sources.

# ccache does not cache compilations that use a precompiled header.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" AND NOT DEFINED CMAKE_DISABLE_PRECOMPILE_HEADERS)
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# The optimisation level of tests and of host code that runs for milliseconds, and the pattern of that code. Sanitizer
# builds spend most of their compile time in the optimiser, and LOCKSTEP_COMPILE_SOONER builds time nothing, so both,
# like Debug builds, use -O0 and a wider pattern. In release builds the code in experiments/ is optimised for its users.
set(lockstep_host_level -O1)
set(lockstep_kernel_test_level -O1)
set(lockstep_host_code "(harness/bench/[a-z_]+|harness/cli/.*|harness/stats/.*|tests/.*)")
set(lockstep_generators_are_host_code OFF)
if(LOCKSTEP_SANITIZER OR LOCKSTEP_COMPILE_SOONER OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(lockstep_host_level -O0)
    set(lockstep_host_code "(harness/bench|harness/cli|harness/stats|experiments|tests)/.*")
    set(lockstep_generators_are_host_code ON)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(lockstep_kernel_test_level -O0)
endif()
# A fuzzer runs its few files for minutes.
if(LOCKSTEP_SANITIZER STREQUAL "fuzzer")
    set(lockstep_host_level -O1)
endif()

# Points-to analysis takes a tenth of g++'s time at -O1. (Set before any target, because precompiled headers must be
# compiled with the same options.)
if(LOCKSTEP_SANITIZER OR LOCKSTEP_COMPILE_SOONER)
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-tree-pta>")
endif()

# A precompiled header is valid for one optimisation level only, so each level needs its own.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "")
foreach(name IN ITEMS lockstep_precompiled lockstep_precompiled_host)
    add_library(${name} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(${name} PRIVATE lockstep::kernel_options Threads::Threads)
    target_precompile_headers(${name} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp>")
    lockstep_position_independent(${name})
endforeach()
target_compile_options(lockstep_precompiled_host PRIVATE ${lockstep_host_level})

# lockstep_split_sources(<variable> <target> <sources> <library>...)
# Moves host code that is never timed out of a library's sources into an object library, and stores the remaining
# sources and those objects in <variable>. Kernels, references and the emulator keep their optimisation level, because
# they are measured and because tests spend their time in them. Sources with the property LOCKSTEP_GENERATOR generate
# program text: in sanitizer, LOCKSTEP_COMPILE_SOONER and Debug builds they count as host code, in any directory.
function(lockstep_split_sources variable target sources)
    set(host)
    set(rest)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE absolute)
        get_source_file_property(generator "${source}" LOCKSTEP_GENERATOR)
        if((lockstep_generators_are_host_code AND generator)
           OR (absolute MATCHES "^${PROJECT_SOURCE_DIR}/${lockstep_host_code}\\.cpp$"
               AND NOT absolute MATCHES "^${PROJECT_BINARY_DIR}/"))
            list(APPEND host "${source}")
        else()
            list(APPEND rest "${source}")
            # The compiler limits inlining per file, so timed sources are compiled separately: a unity build could
            # change what is inlined. A LOCKSTEP_COMPILE_SOONER build times nothing.
            if(NOT LOCKSTEP_SANITIZER AND NOT LOCKSTEP_COMPILE_SOONER
               AND absolute MATCHES "^${PROJECT_SOURCE_DIR}/(reference_cpu|baselines|common)/")
                set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
            endif()
        endif()
    endforeach()
    if(host)
        add_library(${target}_host OBJECT ${host})
        target_link_libraries(${target}_host PRIVATE ${ARGN})
        target_include_directories(${target}_host PRIVATE "${PROJECT_SOURCE_DIR}")
        target_compile_options(${target}_host PRIVATE ${lockstep_host_level})
        target_precompile_headers(${target}_host REUSE_FROM lockstep_precompiled_host)
        lockstep_position_independent(${target}_host)
        if(LOCKSTEP_SANITIZER)
            set_target_properties(${target}_host PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
        list(APPEND rest $<TARGET_OBJECTS:${target}_host>)
    endif()
    set(${variable} "${rest}" PARENT_SCOPE)
endfunction()

function(lockstep_precompile target)
    target_precompile_headers(${target} REUSE_FROM lockstep_precompiled)
endfunction()

# lockstep_shorten_test(<target> <optimised> <emulated source>...)
# The same for a test program, whose sources share one precompiled header. Tests that compute for a long time are
# `optimised`.
function(lockstep_shorten_test target optimised)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS ${lockstep_kernel_test_level} SKIP_PRECOMPILE_HEADERS ON)
    if(optimised)
        target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-O2>")
    else()
        target_precompile_headers(${target} REUSE_FROM lockstep_test_main)
        target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${lockstep_host_level}>")
    endif()
endfunction()

# nvcc spends most of its time optimising a few kernels with many instantiations. Without a GPU, tests can only check
# that they compile, which takes 21 s instead of 147 s for random_grids/dense.cu. (Tested with CUDA 13.0.)
if(LOCKSTEP_COMPILE_SOONER)
    add_compile_definitions(LOCKSTEP_COMPILE_SOONER=1)
    if(LOCKSTEP_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
        add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Ofc=max>")
    endif()
endif()
