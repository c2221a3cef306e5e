# Boost: the headers (the CPU references use Random's engines and distributions) and perhaps Boost.Context. Defines
# Boost::headers and LOCKSTEP_BOOST_CONTEXT.

include(FetchContent)
include("${CMAKE_CURRENT_LIST_DIR}/boost_context.cmake")

find_package(Boost 1.74 CONFIG QUIET)
if(NOT Boost_FOUND)
    # Boost's headers can be installed without its CMake package files.
    find_path(LOCKSTEP_BOOST_INCLUDE boost/random/uniform_int_distribution.hpp)
    mark_as_advanced(LOCKSTEP_BOOST_INCLUDE)
    if(NOT LOCKSTEP_BOOST_INCLUDE)
        FetchContent_Declare(boost
            URL https://archives.boost.io/release/1.83.0/source/boost_1_83_0.tar.bz2
            URL_HASH SHA256=6478edfe2f3305127cffe8caf73ea0176c53769f4bf1585be237eb30798c3b8e
            DOWNLOAD_EXTRACT_TIMESTAMP ON
            SOURCE_SUBDIR headers-only  # does not exist, so Boost is not built
        )
        FetchContent_MakeAvailable(boost)
        set(lockstep_boost_include "${boost_SOURCE_DIR}")
        list(APPEND lockstep_fetched Boost)
    else()
        set(lockstep_boost_include "${LOCKSTEP_BOOST_INCLUDE}")
    endif()
    add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
    target_include_directories(Boost::headers SYSTEM INTERFACE "${lockstep_boost_include}")
endif()
