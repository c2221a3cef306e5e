# User options, and settings that apply to every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(LOCKSTEP_ONLY "" CACHE STRING "Build one part only: simt (the SIMT emulator, without the papers), or empty for everything")
set_property(CACHE LOCKSTEP_ONLY PROPERTY STRINGS "" simt)
if(LOCKSTEP_ONLY AND NOT LOCKSTEP_ONLY STREQUAL "simt")
    message(FATAL_ERROR "unknown LOCKSTEP_ONLY=${LOCKSTEP_ONLY} (the only part that can be built alone is simt). Remove it, or choose simt")
endif()

set(lockstep_simt_sanitizers OFF)
if(LOCKSTEP_ONLY STREQUAL "simt")
    set(lockstep_simt_sanitizers ON)
endif()
option(LOCKSTEP_SIMT_SANITIZERS "Build the emulator also for users' kernels under AddressSanitizer and ThreadSanitizer" ${lockstep_simt_sanitizers})

set(LOCKSTEP_CUDA AUTO CACHE STRING "Build for GPUs: AUTO (if nvcc is found), ON or OFF")
set_property(CACHE LOCKSTEP_CUDA PROPERTY STRINGS AUTO ON OFF)

set(LOCKSTEP_SANITIZER "" CACHE STRING "Build only the sanitizer tests, with this sanitizer: address, thread, fuzzer (the targets of tests/fuzz), or empty for a normal build")
set_property(CACHE LOCKSTEP_SANITIZER PROPERTY STRINGS "" address thread fuzzer)

set(LOCKSTEP_MPI AUTO CACHE STRING "Run one job on several GPUs with MPI: AUTO (if it is found), ON or OFF")
set_property(CACHE LOCKSTEP_MPI PROPERTY STRINGS AUTO ON OFF)

option(LOCKSTEP_COMPILE_SOONER "Compile kernels faster, with little optimisation: for tests only, because timings are meaningless"
       OFF)

option(LOCKSTEP_TOP_LEVEL_TEST_FILE "Write CTestTestfile.cmake into the source tree, so that `ctest` without arguments works there" OFF)
