# Libraries of kernels. One `.cu` file is compiled twice: by the host compiler for the emulator, through a generated file of
# two lines (CMake knows one language a source), and by nvcc where LOCKSTEP_CUDA holds. Installed with the package.

include_guard(GLOBAL)

# What every translation unit needs so that the machines agree bit for bit: no fused multiply-add unless it is written.
if(NOT TARGET lockstep::kernel_options)
    add_library(lockstep_kernel_options INTERFACE)
    add_library(lockstep::kernel_options ALIAS lockstep_kernel_options)
    set_target_properties(lockstep_kernel_options PROPERTIES EXPORT_NAME kernel_options)
    target_compile_features(lockstep_kernel_options INTERFACE cxx_std_20)
    target_compile_options(lockstep_kernel_options INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
        "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-ffp-contract=off>"
    )
    if(LOCKSTEP_CUDA)
        target_compile_definitions(lockstep_kernel_options INTERFACE LOCKSTEP_WITH_CUDA=1)
    endif()
    target_include_directories(lockstep_kernel_options INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>)
endif()

# lockstep_emulated_sources(<variable> <file.cu>...)
# Generates the host compiler's view of each kernel file and stores the generated files in <variable>.
function(lockstep_emulated_sources variable)
    set(generated_files)
    foreach(source IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE absolute)
        cmake_path(RELATIVE_PATH absolute BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
        set(generated "${CMAKE_CURRENT_BINARY_DIR}/emulated/${relative}.cpp")
        file(CONFIGURE OUTPUT "${generated}" CONTENT "#define LOCKSTEP_EMULATOR 1\n#include \"@absolute@\"\n" @ONLY)
        list(APPEND generated_files "${generated}")
    endforeach()
    set(${variable} "${generated_files}" PARENT_SCOPE)
endfunction()

# lockstep_add_library(<target> SOURCES ... [CUDA_SOURCES ...] [KERNELS a.cu ...] [PUBLIC libs...] [PRIVATE libs...])
# A static library, or an INTERFACE library where nothing is compiled. CUDA_SOURCES are left out where LOCKSTEP_CUDA is
# false. A target `lockstep_x` is also known as `lockstep::x`.
function(lockstep_add_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;CUDA_SOURCES;KERNELS;PUBLIC;PRIVATE")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "lockstep_add_library(${target}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    lockstep_emulated_sources(emulated ${arg_KERNELS})
    set(sources ${arg_SOURCES} ${emulated})
    if(LOCKSTEP_CUDA)
        list(APPEND sources ${arg_CUDA_SOURCES} ${arg_KERNELS})
    endif()

    if(sources)
        add_library(${target} STATIC ${sources})
        target_link_libraries(${target} PUBLIC lockstep::kernel_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
        target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
        if(LOCKSTEP_SANITIZER)
            set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
        if(COMMAND lockstep_shorten_library)
            lockstep_shorten_library(${target})
        endif()
    else()
        add_library(${target} INTERFACE)
        target_link_libraries(${target} INTERFACE lockstep::kernel_options ${arg_PUBLIC} ${arg_PRIVATE})
        target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
    endif()

    if(target MATCHES "^lockstep_(.+)$")
        add_library(lockstep::${CMAKE_MATCH_1} ALIAS ${target})
        set_target_properties(${target} PROPERTIES EXPORT_NAME ${CMAKE_MATCH_1})
        if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${lockstep_SOURCE_DIR}/(harness|experiments)/")
            set_property(GLOBAL APPEND PROPERTY LOCKSTEP_LIBRARIES ${target})
        endif()
    endif()
endfunction()
