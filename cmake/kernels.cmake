# Libraries of kernels. Each `.cu` file is compiled twice: by the host compiler for the emulator, through a generated
# file of two lines (CMake assigns one language per source), and by nvcc if LOCKSTEP_CUDA is TRUE. Installed with the
# package.

include_guard(GLOBAL)

# Options that every translation unit needs so that all machines return the same bits: multiply-adds are fused only
# where the code calls fma.
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

# _lockstep_including_sources(<variable> <folder> <ending> <first lines> <file.cu>...)
# Generates files in <folder> that include the kernel files, and stores their names in <variable>. There is one
# generated file per kernel file, or with CMAKE_UNITY_BUILD one per batch, because the included headers take longer to
# compile than most kernels. In optimised builds, a file with the property LOCKSTEP_LARGE is a batch of its own.
function(_lockstep_including_sources variable folder ending lines)
    set(batch 1)
    if(CMAKE_UNITY_BUILD AND (LOCKSTEP_COMPILE_SOONER OR LOCKSTEP_SANITIZER))
        set(batch 16)
    elseif(CMAKE_UNITY_BUILD)
        set(batch 4)
    endif()
    set(generated_files)
    set(rest ${ARGN})
    while(rest)
        set(taken 0)
        set(text "${lines}")
        while(rest AND taken LESS batch)
            list(GET rest 0 next)
            get_source_file_property(large "${next}" LOCKSTEP_LARGE)
            if(large AND batch EQUAL 4 AND taken GREATER 0)
                break()
            endif()
            list(POP_FRONT rest source)
            cmake_path(ABSOLUTE_PATH source NORMALIZE)
            string(APPEND text "#include \"${source}\"\n")
            math(EXPR taken "${taken} + 1")
            if(large AND batch EQUAL 4)
                break()
            endif()
        endwhile()
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
        if(taken GREATER 1)
            string(APPEND relative ".${taken}")
        endif()
        set(generated "${CMAKE_CURRENT_BINARY_DIR}/${folder}/${relative}${ending}")
        file(CONFIGURE OUTPUT "${generated}" CONTENT "@text@" @ONLY)
        list(APPEND generated_files "${generated}")
    endwhile()
    set_source_files_properties(${generated_files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set(${variable} "${generated_files}" PARENT_SCOPE)
endfunction()

# lockstep_emulated_sources(<variable> <file.cu>...)
# Generates the files through which the host compiler compiles the kernel files for the emulator, and stores their names
# in <variable>.
function(lockstep_emulated_sources variable)
    _lockstep_including_sources(generated emulated .cpp "#define LOCKSTEP_EMULATOR 1\n" ${ARGN})
    set(${variable} "${generated}" PARENT_SCOPE)
endfunction()

# lockstep_cuda_sources(<variable> <file.cu>...)
# Stores in <variable> the files that nvcc compiles: the kernel files, or generated files that include several of them.
function(lockstep_cuda_sources variable)
    set(sources ${ARGN})
    if(CMAKE_UNITY_BUILD)
        _lockstep_including_sources(sources cuda .cu "" ${ARGN})
    endif()
    set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# lockstep_position_independent(<target>)
# Compiles for a shared library, too (python/). Executables lose nothing: functions of a file are still inlined, and the
# linker replaces accesses through tables by direct ones. Sanitizer builds have no shared library.
function(lockstep_position_independent target)
    if(NOT LOCKSTEP_SANITIZER)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>
            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-semantic-interposition>)
    endif()
endfunction()

# lockstep_add_library(<target> SOURCES ... [CUDA_SOURCES ...] [KERNELS a.cu ...] [EMULATOR_KERNELS b.cu ...]
#                      [PUBLIC libs...] [PRIVATE libs...])
# Adds a static library, or an INTERFACE library if there is nothing to compile. CUDA_SOURCES are ignored if
# LOCKSTEP_CUDA is FALSE; nvcc does not compile EMULATOR_KERNELS. A target `lockstep_x` gets the alias `lockstep::x`.
function(lockstep_add_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;CUDA_SOURCES;KERNELS;EMULATOR_KERNELS;PUBLIC;PRIVATE")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "lockstep_add_library(${target}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    lockstep_emulated_sources(emulated ${arg_KERNELS} ${arg_EMULATOR_KERNELS})
    set(sources ${arg_SOURCES} ${emulated})
    if(LOCKSTEP_CUDA)
        # Batch them only in builds that do not optimise: in an optimised build the longest file determines the build
        # time.
        if(LOCKSTEP_COMPILE_SOONER)
            set(for_nvcc ${arg_CUDA_SOURCES})
            list(FILTER for_nvcc INCLUDE REGEX "\\.cu$")
            list(REMOVE_ITEM arg_CUDA_SOURCES ${for_nvcc})
            list(APPEND arg_KERNELS ${for_nvcc})
        endif()
        lockstep_cuda_sources(cuda_kernels ${arg_KERNELS})
        list(APPEND sources ${arg_CUDA_SOURCES} ${cuda_kernels})
    endif()

    if(sources)
        if(COMMAND lockstep_split_sources)
            lockstep_split_sources(sources ${target} "${sources}" lockstep::kernel_options ${arg_PUBLIC} ${arg_PRIVATE})
        endif()
        add_library(${target} STATIC ${sources})
        target_link_libraries(${target} PUBLIC lockstep::kernel_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
        target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
        lockstep_position_independent(${target})
        if(LOCKSTEP_SANITIZER)
            set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
        if(COMMAND lockstep_precompile)
            lockstep_precompile(${target})
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
