# Sets LOCKSTEP_BOOST_CONTEXT: whether Boost.Context switches the emulator's fibers. On x86-64 the emulator has a switch of
# its own; elsewhere Boost.Context is many times as fast as ucontext, which makes a system call.

set(LOCKSTEP_BOOST_CONTEXT FALSE)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    find_package(Boost 1.74 CONFIG QUIET OPTIONAL_COMPONENTS context)
    if(TARGET Boost::context)
        set(LOCKSTEP_BOOST_CONTEXT TRUE)
    else()
        message(STATUS "Lockstep: Boost.Context not found, so the emulator switches fibers with ucontext, which is slower")
    endif()
endif()
