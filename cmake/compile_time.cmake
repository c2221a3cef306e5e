# What makes the build of this tree shorter and changes no result: headers that are parsed once, and under the sanitizers no
# optimisation of code that hardly runs.

# ccache passes on, uncached, what is compiled with a precompiled header.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" AND NOT DEFINED CMAKE_DISABLE_PRECOMPILE_HEADERS)
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# Under a sanitizer two levels of optimisation meet in one library, and a header is precompiled for one level.
if(NOT LOCKSTEP_SANITIZER)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "")
    add_library(lockstep_precompiled OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(lockstep_precompiled PRIVATE lockstep::kernel_options Threads::Threads)
    target_precompile_headers(lockstep_precompiled PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp>")
endif()

# lockstep_shorten_library(<target>)
# Instrumented, the optimiser takes most of the time for host code that runs for milliseconds. Kernels, references and the
# emulator keep their level: there the tests spend their time.
function(lockstep_shorten_library target)
    if(NOT LOCKSTEP_SANITIZER)
        target_precompile_headers(${target} REUSE_FROM lockstep_precompiled)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE absolute)
        if(absolute MATCHES "^${PROJECT_SOURCE_DIR}/(harness/bench|harness/cli|harness/stats|experiments|plots|tests)/.*\\.cpp$"
           AND NOT absolute MATCHES "^${PROJECT_BINARY_DIR}/")
            set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O0)
        endif()
    endforeach()
endfunction()

# lockstep_shorten_test(<target> <optimised> <emulated source>...)
# The same for a test program, whose sources share one precompiled header. A test that is itself a long computation is
# `optimised`.
function(lockstep_shorten_test target optimised)
    if(LOCKSTEP_SANITIZER AND optimised)
        target_compile_options(${target} PRIVATE -O2)
        return()
    endif()
    target_precompile_headers(${target} REUSE_FROM lockstep_test_main)
    if(LOCKSTEP_SANITIZER)
        target_compile_options(${target} PRIVATE -O0)
        set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
    endif()
endfunction()
