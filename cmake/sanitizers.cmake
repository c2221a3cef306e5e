# The sanitizer builds: `address` (with undefined behaviour) or `thread`. Only tests labelled `sanitizer`, and what they
# need, are built then.

if(LOCKSTEP_SANITIZER STREQUAL "address")
    # Undefined behaviour traps, and AddressSanitizer's report of the trap (tests/test_main.cpp) says where: calls that print
    # what it was would take g++ a third of its time. Only -fsanitize=vptr has no trap.
    set(lockstep_sanitizer_options -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize-undefined-trap-on-error)
    # Checks in a long function are calls: in line they take g++ half as long again, and the tests no shorter.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        list(APPEND lockstep_sanitizer_options --param=asan-instrumentation-with-call-threshold=30)
    endif()
    add_compile_definitions(LOCKSTEP_ADDRESS_SANITIZER=1)
elseif(LOCKSTEP_SANITIZER STREQUAL "thread")
    set(lockstep_sanitizer_options -fsanitize=thread,vptr -fno-sanitize-recover=vptr)
    add_compile_definitions(LOCKSTEP_THREAD_SANITIZER=1)
elseif(LOCKSTEP_SANITIZER)
    message(FATAL_ERROR "unknown LOCKSTEP_SANITIZER=${LOCKSTEP_SANITIZER} (neither address nor thread). Choose one of the two")
endif()

if(LOCKSTEP_SANITIZER)
    if(LOCKSTEP_CUDA)
        message(FATAL_ERROR "LOCKSTEP_SANITIZER is for host code only (nvcc's runtime is not instrumented). Add -DLOCKSTEP_CUDA=OFF")
    endif()
    # g++ 12's instrumentation hides initialisations from its own -Wmaybe-uninitialized (std::regex's std::function), and
    # g++ 13's hides the lengths of short strings from -Wstringop-overread.
    add_compile_options(${lockstep_sanitizer_options} -fno-omit-frame-pointer
                        "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-stringop-overread>")
    add_link_options(${lockstep_sanitizer_options})
    # For kernels that are compiled at run time.
    list(JOIN lockstep_sanitizer_options " " words)
    add_compile_definitions("LOCKSTEP_SANITIZER_OPTIONS=\"${words}\"")
endif()

# lockstep_without_thread_sanitizer(<target>)
# Compiles the target without ThreadSanitizer's instrumentation. The emulator's runtime needs it: its own scheduling would
# order the lanes' accesses and so hide the kernel's races. LOCKSTEP_THREAD_SANITIZER stays defined.
function(lockstep_without_thread_sanitizer target)
    if(LOCKSTEP_SANITIZER STREQUAL "thread")
        target_compile_options(${target} PRIVATE -fno-sanitize=thread)
        set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
endfunction()
