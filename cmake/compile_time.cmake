# What makes the build of this tree shorter and changes no result. Host code that is never timed is hardly optimised; headers
# are parsed once a build (precompiled) and, where CMAKE_UNITY_BUILD holds (CMakePresets.json: the builds that ./lockstep
# makes), once for several sources.

# ccache passes on, uncached, what is compiled with a precompiled header.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" AND NOT DEFINED CMAKE_DISABLE_PRECOMPILE_HEADERS)
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# The level of host code that runs for milliseconds, and of tests; and which code that is. Instrumented, the optimiser takes
# most of the time, and nothing is timed in a build that is to be done sooner. In a program that is released, what
# experiments do for their users is optimised.
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

# Points-to analysis is a tenth of g++'s time at -O1. (Before any target: precompiled headers are of the same options.)
if(LOCKSTEP_SANITIZER OR LOCKSTEP_COMPILE_SOONER)
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-tree-pta>")
endif()

# A header is precompiled for one level.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "")
foreach(name IN ITEMS lockstep_precompiled lockstep_precompiled_host)
    add_library(${name} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(${name} PRIVATE lockstep::kernel_options Threads::Threads)
    target_precompile_headers(${name} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp>")
endforeach()
target_compile_options(lockstep_precompiled_host PRIVATE ${lockstep_host_level})

# lockstep_split_sources(<variable> <target> <sources> <library>...)
# Takes host code that is never timed out of the sources of a library, into one of objects that the rest, in <variable>, names.
# Kernels, references and the emulator keep their level: there the measurements are, and there the tests spend their time.
# Sources with the property LOCKSTEP_GENERATOR write the text of programs: in a build that is to be done sooner they are host
# code, wherever they stand.
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
            # What is timed is inlined as if alone: the compiler limits how much of one file it inlines.
            if(NOT LOCKSTEP_SANITIZER AND absolute MATCHES "^${PROJECT_SOURCE_DIR}/(reference_cpu|baselines|common)/")
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
# The same for a test program, whose sources share one precompiled header. A test that is itself a long computation is
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

# Most of nvcc's time goes into optimising a few kernels of many instances. Where no GPU runs them, that they compile is all
# that can be tested: of random_grids/dense.cu in 21 s instead of 147. (Tried with 13.0.)
if(LOCKSTEP_COMPILE_SOONER)
    add_compile_definitions(LOCKSTEP_COMPILE_SOONER=1)
    if(LOCKSTEP_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
        add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Ofc=max>")
    endif()
endif()
