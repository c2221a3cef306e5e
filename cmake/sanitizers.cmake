# The sanitizer builds: `address` (with undefined behaviour), `thread` or `fuzzer`. The first two build only the tests
# labelled `sanitizer` (for `address` also `asan`) and their dependencies; the third builds only tests/fuzz.

if(LOCKSTEP_SANITIZER STREQUAL "address")
    # Undefined behaviour traps, and AddressSanitizer reports the trap's location (tests/test_main.cpp). Calls that
    # print a diagnostic would take a third of g++'s time. -fsanitize=vptr is the only check that cannot trap.
    set(lockstep_sanitizer_options -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize-undefined-trap-on-error)
    # Use out-of-line checks in long functions: inline checks make g++ take 1.5 times as long and do not make the tests
    # faster.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        list(APPEND lockstep_sanitizer_options --param=asan-instrumentation-with-call-threshold=30)
    endif()
    add_compile_definitions(LOCKSTEP_ADDRESS_SANITIZER=1)
elseif(LOCKSTEP_SANITIZER STREQUAL "thread")
    set(lockstep_sanitizer_options -fsanitize=thread,vptr -fno-sanitize-recover=vptr)
    add_compile_definitions(LOCKSTEP_THREAD_SANITIZER=1)
elseif(LOCKSTEP_SANITIZER STREQUAL "fuzzer")
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "cannot build fuzz targets with ${CMAKE_CXX_COMPILER_ID} (only clang++ has libFuzzer). "
                            "Install clang and use the preset fuzz; every other preset replays the inputs in tests/fuzz/corpus")
    endif()
    set(lockstep_sanitizer_options -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
    add_compile_definitions(LOCKSTEP_ADDRESS_SANITIZER=1)
elseif(LOCKSTEP_SANITIZER)
    message(FATAL_ERROR "unknown LOCKSTEP_SANITIZER=${LOCKSTEP_SANITIZER} (it is none of address, thread and fuzzer). Choose one of them")
endif()

if(LOCKSTEP_SANITIZER)
    if(LOCKSTEP_CUDA)
        message(FATAL_ERROR "LOCKSTEP_SANITIZER needs a build without CUDA (nvcc's runtime is not instrumented). Add -DLOCKSTEP_CUDA=OFF")
    endif()
    # With instrumentation, g++ 12 reports false -Wmaybe-uninitialized warnings (std::function in std::regex) and g++ 13
    # false -Wstringop-overread warnings (short strings).
    add_compile_options(${lockstep_sanitizer_options} -fno-omit-frame-pointer
                        "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-stringop-overread>")
    add_link_options(${lockstep_sanitizer_options})
    # Options for kernels that are compiled at run time.
    list(JOIN lockstep_sanitizer_options " " words)
    if(LOCKSTEP_SANITIZER STREQUAL "thread")
        string(APPEND words " -DLOCKSTEP_THREAD_SANITIZER=1")
    endif()
    add_compile_definitions("LOCKSTEP_SANITIZER_OPTIONS=\"${words}\"")
endif()

# lockstep_without_thread_sanitizer(<target>)
# Compiles the target without ThreadSanitizer's instrumentation. The emulator's runtime needs this: if its scheduling
# were instrumented, it would order the lanes' accesses and hide the kernel's races. LOCKSTEP_THREAD_SANITIZER stays
# defined.
function(lockstep_without_thread_sanitizer target)
    if(LOCKSTEP_SANITIZER STREQUAL "thread")
        target_compile_options(${target} PRIVATE -fno-sanitize=thread)
        set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
endfunction()
