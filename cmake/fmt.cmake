# {fmt}: formatted output. Defines fmt::fmt.

include(FetchContent)
FetchContent_Declare(fmt SYSTEM  # in any other position, CMake 3.25 appends it to the hash
    URL https://github.com/fmtlib/fmt/archive/9.1.0.tar.gz
    URL_HASH SHA256=5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS 9 CONFIG
)
FetchContent_MakeAvailable(fmt)
if(NOT fmt_FOUND)
    list(APPEND lockstep_fetched fmt)
endif()
