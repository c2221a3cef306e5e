# Tests. Every test requires the fixture `build`, which builds this tree, so `cmake --preset release && ctest` works
# without a separate build step.

include(ProcessorCount)

if(BUILD_TESTING)
    ProcessorCount(lockstep_processors)
    if(lockstep_processors EQUAL 0)
        set(lockstep_processors 1)
    endif()
    add_test(NAME build
        COMMAND "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}" --config $<CONFIG> --parallel ${lockstep_processors})
    set_tests_properties(build PROPERTIES FIXTURES_SETUP build TIMEOUT 7200 LABELS build RUN_SERIAL ON)
endif()

# lockstep_add_test(<name> SOURCES ... [KERNELS a.cu ...] [LIBRARIES ...] [LABELS quick|statistical|sanitizer|asan ...]
#                   [GPU [AGAINST_EMULATOR]] [OPTIMISED])
#
# Adds one GoogleTest program and one test with the same name. Its main (tests/test_main.cpp) returns 77 if every test
# was skipped. KERNELS are compiled for the emulator, or in a GPU test by nvcc. LABELS defaults to quick. Tests labelled
# sanitizer also run in the presets asan and tsan; tests labelled asan, which start no threads, also run in asan; other
# tests run in neither. GPU: the test exists only if LOCKSTEP_CUDA is TRUE and is labelled gpu;
# tests/sanitizers runs it under compute-sanitizer. AGAINST_EMULATOR: the test
# compares GPU and emulator, so its kernels are compiled for both. OPTIMISED: the test's own sources compute for
# seconds, so they are optimised in sanitizer builds too.
function(lockstep_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "GPU;AGAINST_EMULATOR;OPTIMISED" "" "SOURCES;KERNELS;LIBRARIES;LABELS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "lockstep_add_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT BUILD_TESTING OR (arg_GPU AND NOT LOCKSTEP_CUDA))
        return()
    endif()
    if(NOT arg_LABELS AND NOT arg_GPU)
        set(arg_LABELS quick)
    endif()
    foreach(label IN LISTS arg_LABELS)
        if(NOT label MATCHES "^(quick|statistical|sanitizer|asan)$")
            message(FATAL_ERROR "lockstep_add_test(${name}): unknown label ${label}")
        endif()
    endforeach()
    if(LOCKSTEP_SANITIZER STREQUAL "fuzzer"
       OR (LOCKSTEP_SANITIZER AND NOT "sanitizer" IN_LIST arg_LABELS
           AND NOT (LOCKSTEP_SANITIZER STREQUAL "address" AND "asan" IN_LIST arg_LABELS)))
        return()
    endif()

    set(emulated)
    if(NOT arg_GPU OR arg_AGAINST_EMULATOR)
        lockstep_emulated_sources(emulated ${arg_KERNELS})
    endif()
    add_executable(${name} ${arg_SOURCES} ${emulated})
    # The same files share a unit in every preset, so that the presets that are tested show clashes of names in the others.
    set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
    if(arg_GPU)
        lockstep_cuda_sources(cuda_sources ${arg_KERNELS})
        target_sources(${name} PRIVATE ${cuda_sources})
        list(APPEND arg_LABELS gpu)
    endif()
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} lockstep::kernel_options lockstep_test_main)
    lockstep_shorten_test(${name} ${arg_OPTIMISED} ${emulated})

    add_test(NAME ${name} COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/run_test.sh" $<TARGET_FILE:${name}>
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES
        FIXTURES_REQUIRED build
        SKIP_RETURN_CODE 77
        TIMEOUT 900
        LABELS "${arg_LABELS}"
        ENVIRONMENT "${LOCKSTEP_TEST_ENVIRONMENT}"
    )
    if(arg_GPU)
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK gpu
            ENVIRONMENT "${LOCKSTEP_TEST_ENVIRONMENT};LOCKSTEP_GPU_TEST=1")
    endif()
endfunction()

# lockstep_add_machines_test(<name> SOURCES ... [HOST_SOURCES ...] [GPU_SOURCES ...] [LIBRARIES ...] [LABELS ...] [OPTIMISED])
#
# Compiles SOURCES once and links them into two programs: <name>_test for the CPU and the emulator, and <name>_cuda_test
# for the GPU. tests/support/machines.hpp tells a program which machines it tests. HOST_SOURCES and GPU_SOURCES belong
# to only one of the programs. A source in both lists is compiled twice, with LOCKSTEP_TESTED_MACHINE defined as
# `emulator` and as `cuda`.
function(lockstep_add_machines_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED" "" "SOURCES;HOST_SOURCES;GPU_SOURCES;LIBRARIES;LABELS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "lockstep_add_machines_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    set(support "${PROJECT_SOURCE_DIR}/tests/support")
    list(APPEND arg_LIBRARIES lockstep::test_support)
    set(optimised)
    if(arg_OPTIMISED)
        set(optimised OPTIMISED)
    endif()
    set(sources ${arg_SOURCES})
    if(BUILD_TESTING AND LOCKSTEP_CUDA)
        add_library(${name}_objects OBJECT ${arg_SOURCES})
        target_link_libraries(${name}_objects PRIVATE ${arg_LIBRARIES} lockstep::kernel_options lockstep_test_main)
        lockstep_shorten_test(${name}_objects ${arg_OPTIMISED})
        set(sources $<TARGET_OBJECTS:${name}_objects>)
    endif()
    lockstep_add_test(${name}_test
        SOURCES ${sources} ${arg_HOST_SOURCES} "${support}/host_machines.cpp"
        LIBRARIES ${arg_LIBRARIES}
        LABELS ${arg_LABELS}
        ${optimised})
    lockstep_add_test(${name}_cuda_test
        SOURCES ${sources} ${arg_GPU_SOURCES} "${support}/gpu_machine.cpp"
        LIBRARIES ${arg_LIBRARIES}
        GPU
        ${optimised})
    if(TARGET ${name}_test)
        target_compile_definitions(${name}_test PRIVATE LOCKSTEP_TESTED_MACHINE=emulator)
        set_property(TEST ${name}_test PROPERTY COST ${lockstep_long})
    endif()
    if(TARGET ${name}_cuda_test)
        target_compile_definitions(${name}_cuda_test PRIVATE LOCKSTEP_TESTED_MACHINE=cuda)
    endif()
endfunction()

# The COST of long tests and of the longest ones. ctest starts tests of higher cost first, so that no core idles while
# the last test runs. A test without a COST has its last time in seconds, which is below these.
set(lockstep_long 1000)
set(lockstep_longest 2000)

# Properties of this build that cmake/run_test.sh reads.
set(LOCKSTEP_TEST_ENVIRONMENT "LOCKSTEP_SANITIZER=${LOCKSTEP_SANITIZER}")
if(LOCKSTEP_CUDA)
    list(APPEND LOCKSTEP_TEST_ENVIRONMENT "LOCKSTEP_CUDA_BIN=${CUDAToolkit_BIN_DIR}")
endif()

# lockstep_add_subdirectories(<pattern>...): adds each matching directory that has a CMakeLists.txt, in order.
function(lockstep_add_subdirectories)
    foreach(pattern IN LISTS ARGN)
        file(GLOB directories RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" LIST_DIRECTORIES true
             "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
        foreach(directory IN LISTS directories)
            if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${directory}/CMakeLists.txt")
                add_subdirectory("${directory}")
            endif()
        endforeach()
    endforeach()
endfunction()

# Lets `ctest` in the source tree find the tests of this build. The file is git-ignored.
function(lockstep_write_top_level_test_file)
    if(LOCKSTEP_TOP_LEVEL_TEST_FILE)
        file(WRITE "${PROJECT_SOURCE_DIR}/CTestTestfile.cmake" "subdirs(\"${PROJECT_BINARY_DIR}\")\n")
    endif()
endfunction()

# lockstep_add_python_test(<name> <path>...): runs pytest on the paths; skipped, with a reason, if Python packages are
# missing.
function(lockstep_add_python_test name)
    if(LOCKSTEP_SANITIZER)
        return()
    endif()
    add_test(NAME ${name} COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/run_python_test.sh" ${ARGN}
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED build SKIP_RETURN_CODE 77 TIMEOUT 900 LABELS quick
        COST ${lockstep_long})
    if(TARGET lockstep_main)
        set_tests_properties(${name} PROPERTIES ENVIRONMENT "LOCKSTEP_BINARY=$<TARGET_FILE:lockstep_main>")
    endif()
endfunction()
