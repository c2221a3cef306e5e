# Sub-commands. A file commands.txt names those of its directory, one per line: the name, `ranks` for a command that shares its
# work among the ranks of mpirun and `one` for one that runs in one process, and one line of help. The build, the script
# `lockstep` (which has to know the names before anything is built) and plots/ read it; no other list names a command.

# lockstep_read_commands(<declarations> <entries> <namespace> <commands.txt> [WITH_PROGRAM])
#
# Appends to two variables: declarations of `<namespace>::<name>_command(int, char const* const*)`, and initialisers of
# cli::Command. WITH_PROGRAM: the functions have a first parameter, cli::Program const&, for which the entries use `program`.
function(lockstep_read_commands declarations entries namespace file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    set(declared "${${declarations}}")
    set(listed "${${entries}}")
    file(STRINGS "${file}" lines REGEX "^[^#]")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "^([a-z]+) +(one|ranks) +([^\"\\]+)$")
            message(FATAL_ERROR "${file}: '${line}' is not a name, `one` or `ranks`, and a line of help")
        endif()
        set(name "${CMAKE_MATCH_1}")
        set(summary "${CMAKE_MATCH_3}")
        set(ranks false)
        if(CMAKE_MATCH_2 STREQUAL "ranks")
            set(ranks true)
        endif()
        set(parameters "int, char const* const*")
        set(function "${namespace}::${name}_command")
        if("WITH_PROGRAM" IN_LIST ARGN)
            string(PREPEND parameters "cli::Program const&, ")
            set(function "cli::with_program(program, ${function})")
        endif()
        string(APPEND declared "namespace ${namespace} { int ${name}_command(${parameters}); }\n")
        string(APPEND listed "        {\"${name}\", \"${summary}\", ${function}, ${ranks}},\n")
    endforeach()
    set(${declarations} "${declared}" PARENT_SCOPE)
    set(${entries} "${listed}" PARENT_SCOPE)
endfunction()
