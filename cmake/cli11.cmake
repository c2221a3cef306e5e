# CLI11: the command line. Defines CLI11::CLI11.

include(FetchContent)
set(CLI11_BUILD_TESTS OFF)
set(CLI11_BUILD_EXAMPLES OFF)
FetchContent_Declare(CLI11 SYSTEM  # in any other position, CMake 3.25 appends it to the hash
    URL https://github.com/CLIUtils/CLI11/archive/v2.3.2.tar.gz
    URL_HASH SHA256=aac0ab42108131ac5d3344a9db0fdf25c4db652296641955720a4fbe52334e22
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS 2.1 CONFIG
)
FetchContent_MakeAvailable(CLI11)
if(NOT CLI11_FOUND)
    list(APPEND lockstep_fetched CLI11)
endif()
