# Decides whether to use nvcc. Reads the option LOCKSTEP_CUDA (AUTO, ON or OFF; AUTO if unset) and sets the variable
# LOCKSTEP_CUDA to TRUE or FALSE. Used by this tree and by projects that find an installed lockstep.

# lockstep_architectures_here(<variable>): the compute capabilities of this machine's GPUs, such as 90; empty without a
# GPU.
function(lockstep_architectures_here variable)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capabilities RESULT_VARIABLE failed ERROR_QUIET)
    set(found)
    if(failed EQUAL 0)
        string(REGEX MATCHALL "[0-9]+\\.[0-9]" found "${capabilities}")
        list(TRANSFORM found REPLACE "\\." "")
        list(REMOVE_DUPLICATES found)
    endif()
    # Warp reductions in one instruction (__reduce_add_sync) require compute capability 8.0.
    foreach(capability IN LISTS found)
        if(capability LESS 80)
            message(STATUS "Lockstep: ignoring a GPU of compute capability ${capability} (80 is the minimum)")
            list(REMOVE_ITEM found ${capability})
        endif()
    endforeach()
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

if(NOT DEFINED LOCKSTEP_CUDA)
    set(LOCKSTEP_CUDA AUTO)
endif()
string(TOUPPER "${LOCKSTEP_CUDA}" lockstep_cuda_requested)

# NVIDIA's installer does not add nvcc to PATH.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(LOCKSTEP_NVCC nvcc PATHS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
    mark_as_advanced(LOCKSTEP_NVCC)
    if(LOCKSTEP_NVCC AND NOT lockstep_cuda_requested STREQUAL "OFF")
        set(CMAKE_CUDA_COMPILER "${LOCKSTEP_NVCC}")
    endif()
endif()

if(lockstep_cuda_requested STREQUAL "AUTO")
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(LOCKSTEP_CUDA TRUE)
    else()
        set(LOCKSTEP_CUDA FALSE)
        message(STATUS "Lockstep: CUDA compiler not found, so kernels run only on the CPU and in the emulator, and no GPU is timed")
    endif()
elseif(lockstep_cuda_requested)
    set(LOCKSTEP_CUDA TRUE)
else()
    set(LOCKSTEP_CUDA FALSE)
endif()

if(LOCKSTEP_CUDA)
    # Unless the user or CUDAARCHS sets other architectures, compile for this machine's GPUs, or without one for Hopper,
    # with PTX for newer GPUs. (`native` fails without a GPU, and CMake 3.25's list for `all-major` contains
    # architectures that CUDA 13 no longer supports.)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
        lockstep_architectures_here(CMAKE_CUDA_ARCHITECTURES)
        if(NOT CMAKE_CUDA_ARCHITECTURES)
            set(CMAKE_CUDA_ARCHITECTURES 90)
        endif()
    endif()
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
        # CMake 3.25 does not know that nvcc supports C++20.
        set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
        set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
        message(FATAL_ERROR "nvcc ${CMAKE_CUDA_COMPILER_VERSION} is too old (C++20 needs 12.0; tested with 13.0). "
                            "Install a newer CUDA Toolkit, or configure with -DLOCKSTEP_CUDA=OFF")
    endif()
    # CMake 3.25 fails if this deprecated library is missing, and CUDA 13 no longer has it.
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND NOT TARGET CUDA::nvToolsExt)
        add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
    endif()
    find_package(CUDAToolkit REQUIRED)
endif()
