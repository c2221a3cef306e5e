# nlohmann-json: results and sweeps. Defines nlohmann_json::nlohmann_json.

include(FetchContent)
FetchContent_Declare(nlohmann_json SYSTEM  # in any other position, CMake 3.25 appends it to the hash
    URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
    URL_HASH SHA256=d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS 3.11 CONFIG
)
FetchContent_MakeAvailable(nlohmann_json)
if(NOT nlohmann_json_FOUND)
    list(APPEND lockstep_fetched nlohmann_json)
endif()
