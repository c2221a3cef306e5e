# Google Benchmark: timing and the format of the results. Defines benchmark::benchmark.

include(FetchContent)
set(BENCHMARK_ENABLE_TESTING OFF)
set(BENCHMARK_ENABLE_INSTALL OFF)
FetchContent_Declare(benchmark SYSTEM  # in any other position, CMake 3.25 appends it to the hash
    URL https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
    URL_HASH SHA256=6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS 1.7 CONFIG
)
FetchContent_MakeAvailable(benchmark)
if(NOT benchmark_FOUND)
    list(APPEND lockstep_fetched benchmark)
endif()
