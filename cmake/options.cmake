# User options, and settings that apply to every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(LOCKSTEP_CUDA AUTO CACHE STRING "Build for GPUs: AUTO (if nvcc is found), ON or OFF")
set_property(CACHE LOCKSTEP_CUDA PROPERTY STRINGS AUTO ON OFF)

set(LOCKSTEP_SANITIZER "" CACHE STRING "Build only the sanitizer tests, with this sanitizer: address, thread, fuzzer (the targets of tests/fuzz), or empty for a normal build")
set_property(CACHE LOCKSTEP_SANITIZER PROPERTY STRINGS "" address thread fuzzer)

set(LOCKSTEP_MPI AUTO CACHE STRING "Run one job on several GPUs with MPI: AUTO (if it is found), ON or OFF")
set_property(CACHE LOCKSTEP_MPI PROPERTY STRINGS AUTO ON OFF)

option(LOCKSTEP_COMPILE_SOONER "Compile kernels faster, with little optimisation: for tests only, because timings are meaningless"
       OFF)

option(LOCKSTEP_TOP_LEVEL_TEST_FILE "Write CTestTestfile.cmake into the source tree, so that `ctest` without arguments works there" OFF)
