# Tests of kernels, for users of the installed package.

include_guard(GLOBAL)

# lockstep_add_kernel_test(<name> [KERNELS a.cu ...] [SOURCES b.cpp ...] [LIBRARIES libs...])
#
# Adds a GoogleTest program and a test of it, <name>, in the emulator's ordinary build; <name>_checked, in which each
# access to memory is checked; and, if the package has the components, <name>_asan and <name>_tsan: the same sources under
# AddressSanitizer with UndefinedBehaviorSanitizer, and under ThreadSanitizer (harness/simt/README.md says what each
# finds). LIBRARIES must not link lockstep::simt, because a program contains one build of the emulator only: list their
# kernels here.
function(lockstep_add_kernel_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "KERNELS;SOURCES;LIBRARIES")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "lockstep_add_kernel_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT TARGET GTest::gtest_main)
        find_package(GTest REQUIRED)
    endif()
    lockstep_emulated_sources(emulated ${arg_KERNELS})
    foreach(component IN ITEMS simt simt_checked simt_asan simt_tsan)
        if(NOT TARGET lockstep::${component})
            continue()
        endif()
        string(REPLACE simt "${name}" program "${component}")
        add_executable(${program} ${emulated} ${arg_SOURCES})
        target_link_libraries(${program} PRIVATE lockstep::${component} ${arg_LIBRARIES} GTest::gtest_main)
        if(component STREQUAL "simt_checked")
            target_link_libraries(${program} PRIVATE lockstep::simt)
            # The checks and the emulator come before the program's objects, so that the linker takes their copies of
            # templates of the standard library, which are not instrumented: instrumented ones would check the checks.
            target_link_options(${program} PRIVATE "LINKER:--whole-archive" $<TARGET_FILE:lockstep::simt_hooks>
                $<TARGET_FILE:lockstep::emulator> "LINKER:--no-whole-archive")
        endif()
        add_test(NAME ${program} COMMAND ${program})
    endforeach()
endfunction()
