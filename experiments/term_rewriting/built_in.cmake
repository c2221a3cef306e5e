# Systems that are compiled into the program, so that rewriting one of them does not wait for a compiler. The program
# lockstep_rewrite_generator (write_built_in.cpp) generates their code during the build.

# lockstep_add_built_in_programs(<target> <system.trs>...)
# Adds the systems to the target as C++ for one core and for all cores, and built_in_programs(), which lists them.
function(lockstep_add_built_in_programs target)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/built_in")
    set(generated)
    foreach(system IN LISTS ARGN)
        cmake_path(GET system STEM name)
        list(APPEND generated "${folder}/lockstep_${name}_one_core.cpp" "${folder}/lockstep_${name}_all_cores.cpp")
    endforeach()
    _lockstep_run_rewrite_generator("${folder}/built_in_programs.cpp;${generated}" "${folder}" ${ARGN})
    # The options are those with which harness/jit compiles a user's system. Warnings and sanitizers are off, because
    # the text is generated and every call in it must become a tail call.
    set(options -w -O2 -fno-exceptions)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
        list(APPEND options -mno-sse -mpreferred-stack-boundary=3 --param=max-inline-insns-single=150)
    endif()
    if(LOCKSTEP_SANITIZER)
        list(APPEND options -fno-sanitize=all -fomit-frame-pointer)
    endif()
    set_source_files_properties(${generated} PROPERTIES
        COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE "${folder}/built_in_programs.cpp" ${generated})
endfunction()

# lockstep_add_built_in_kernels(<target> <system.trs>...)
# Adds the `as_printed` kernels of the systems to the target, for the emulator and for GPUs, and built_in_kernels(),
# which lists them.
function(lockstep_add_built_in_kernels target)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/built_in_kernels")
    set(generated)
    foreach(system IN LISTS ARGN)
        cmake_path(GET system STEM name)
        list(APPEND generated "${folder}/as_printed_${name}.cu")
    endforeach()
    set(with_gpu without)
    if(LOCKSTEP_CUDA)
        set(with_gpu with)
        target_sources(${target} PRIVATE ${generated})
    endif()
    _lockstep_run_rewrite_generator("${folder}/built_in_kernels.cpp;${generated}"
        "--kernels;${with_gpu};${folder}" ${ARGN})
    lockstep_emulated_sources(emulated ${generated})
    set_source_files_properties(${emulated} PROPERTIES
        COMPILE_OPTIONS "-w;-O1" SKIP_PRECOMPILE_HEADERS ON OBJECT_DEPENDS "${generated}")
    set_source_files_properties(${generated} PROPERTIES COMPILE_OPTIONS "-w")
    target_sources(${target} PRIVATE "${folder}/built_in_kernels.cpp" ${emulated})
endfunction()

# _lockstep_run_rewrite_generator(<outputs> <options> <system.trs>...)
# Runs the generator with the options and one NAME=FILE per system.
function(_lockstep_run_rewrite_generator outputs options)
    set(arguments)
    set(inputs)
    foreach(system IN LISTS ARGN)
        cmake_path(GET system STEM name)
        list(APPEND inputs "${CMAKE_CURRENT_SOURCE_DIR}/systems/${system}")
        list(APPEND arguments "${name}=${CMAKE_CURRENT_SOURCE_DIR}/systems/${system}")
    endforeach()
    add_custom_command(
        OUTPUT ${outputs}
        COMMAND lockstep_rewrite_generator ${options} ${arguments}
        DEPENDS lockstep_rewrite_generator ${inputs}
        COMMENT "Generating code for the paper's term rewrite systems"
        VERBATIM
    )
endfunction()

# lockstep_add_rewrite_language(<file>... GENERATORS <file>...)
# Adds the library lockstep_rewrite_language, and the program lockstep_rewrite_generator, which uses the library during
# the build. Paths are relative to the project's root. The files after GENERATORS write the text of programs.
function(lockstep_add_rewrite_language)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "GENERATORS")
    lockstep_mark_generators(${arg_GENERATORS})
    set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_GENERATORS})
    list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/")
    lockstep_add_library(lockstep_rewrite_language
        SOURCES ${sources}
        PUBLIC lockstep::jit
    )
    lockstep_embed_in(lockstep_rewrite_language lockstep::term_rewriting::compiled abi_text
        baselines/term_rewriting/compiled/abi.hpp
        baselines/term_rewriting/compiled/registers.hpp)
    add_executable(lockstep_rewrite_generator write_built_in.cpp)
    target_link_libraries(lockstep_rewrite_generator PRIVATE lockstep::rewrite_language)
    if(LOCKSTEP_SANITIZER)
        set_target_properties(lockstep_rewrite_generator PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
endfunction()

# lockstep_mark_generators(<file>...)
# Marks files that write the text of programs and run only for milliseconds (cmake/compile_time.cmake).
function(lockstep_mark_generators)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE generators)
    set_source_files_properties(${generators} PROPERTIES LOCKSTEP_GENERATOR ON)
endfunction()
