# Annotated kernels as sources of a target. Installed with the package.

include_guard(GLOBAL)

# lockstep_weave(<target> <file>... [ADVISE <pattern=@annotation>...])
# Adds the files to the target's sources, woven by `lockstep weave` while the target is built: again whenever a file,
# the program or the advice changes. Compilers and debuggers name the user's files. The woven files are in the folder
# lockstep_woven/ of the build tree. LOCKSTEP_PROGRAM is the program; inside of this project it is the one that the build
# makes.
function(lockstep_weave target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ADVISE")
    if(TARGET lockstep_main)
        set(program lockstep_main)
    else()
        find_program(LOCKSTEP_PROGRAM lockstep REQUIRED)
        set(program "${LOCKSTEP_PROGRAM}")
    endif()
    set(advice)
    foreach(one IN LISTS arg_ADVISE)
        list(APPEND advice --advise "${one}")
    endforeach()
    foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
        cmake_path(ABSOLUTE_PATH file NORMALIZE)
        cmake_path(GET file PARENT_PATH folder)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
        string(REPLACE "../" "up/" relative "${relative}")
        set(woven "${CMAKE_CURRENT_BINARY_DIR}/lockstep_woven/${relative}")
        add_custom_command(OUTPUT "${woven}"
            COMMAND ${program} weave "${file}" -o "${woven}" --dependencies "${woven}.d" ${advice}
            DEPENDS "${file}" ${program}
            DEPFILE "${woven}.d"
            COMMENT "Weaving ${relative}"
            VERBATIM)
        target_sources(${target} PRIVATE "${woven}")
        target_include_directories(${target} PRIVATE "${folder}")
    endforeach()
endfunction()
