# What a user may choose, and what holds for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(LOCKSTEP_CUDA AUTO CACHE STRING "Build for GPUs: AUTO (where nvcc is found), ON or OFF")
set_property(CACHE LOCKSTEP_CUDA PROPERTY STRINGS AUTO ON OFF)

set(LOCKSTEP_SANITIZER "" CACHE STRING "Build the tests labelled `sanitizer` with: address, thread, or nothing")
set_property(CACHE LOCKSTEP_SANITIZER PROPERTY STRINGS "" address thread)

set(LOCKSTEP_MPI AUTO CACHE STRING "One job on several GPUs by MPI: AUTO (where it is found), ON or OFF")
set_property(CACHE LOCKSTEP_MPI PROPERTY STRINGS AUTO ON OFF)

option(LOCKSTEP_COMPILE_SOONER "Kernels hardly optimised, so that nvcc is done sooner: for tests, as no time means anything then"
       OFF)

option(LOCKSTEP_TOP_LEVEL_TEST_FILE "Write CTestTestfile.cmake into the source tree, so that a bare `ctest` works there" OFF)
