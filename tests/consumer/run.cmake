# Steps of the test `consumer`. The install prefix is recreated, so that it contains no files of an earlier version.

function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}${errors}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${work}/prefix" "${work}/build")
step("${CMAKE_COMMAND}" --install "${build}" --config "${config}" --prefix "${work}/prefix")
# Not optimised, because the programs run for milliseconds.
step("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/users" -B "${work}/build" -G "${generator}" "-Dexamples=${examples}"
    "-DCMAKE_PREFIX_PATH=${work}/prefix" "-DCMAKE_BUILD_TYPE=None" "-DCMAKE_CXX_COMPILER=${compiler}")
step("${CMAKE_COMMAND}" --build "${work}/build" --config "${config}")

step("${work}/build/consumer/reverse")
if(NOT output MATCHES "31 30 29 .* 2 1 0\n$")
    message(FATAL_ERROR "the consumer's kernel printed:\n${output}")
endif()

# 7, 3, 1, 0: the third pass is the last one that changes the state.
step("${CMAKE_COMMAND}" -E env "LOCKSTEP_CACHE=${work}/cache" "${work}/build/consumer/rules")
if(NOT output STREQUAL "3\n")
    message(FATAL_ERROR "the consumer's rule file printed:\n${output}")
endif()

# The Python module finds its library beside it.
find_program(python python3)
file(GLOB package "${work}/prefix/lib*/lockstep-*/python" "${work}/prefix/lib*/*/lockstep-*/python")
if(python)
    step("${CMAKE_COMMAND}" -E env --unset=LOCKSTEP_LIBRARY "PYTHONPATH=${package}" "${python}" -B -c
        "print(__import__('lockstep').random_subsets(3, 100, 30, device='cpu'))")
    if(NOT output STREQUAL "<lockstep.Subsets 3x4 on cpu>\n")
        message(FATAL_ERROR "the Python module printed:\n${output}")
    endif()
    step("${CMAKE_COMMAND}" -E env --unset=LOCKSTEP_LIBRARY "PYTHONPATH=${package}" "LOCKSTEP_CACHE=${work}/cache"
        "${python}" -B "${examples}/object_layout/traffic.py" --machine cpu --csv "${work}/agents.csv")
    file(READ "${work}/agents.csv" agents LIMIT 60)
    if(NOT agents MATCHES "^agent,class,street,progress\n0,car,28,3.40000033\n")
        message(FATAL_ERROR "the Python module simulated:\n${agents}")
    endif()
endif()

# Each program has its project's name and must print the contents of expected.txt.
file(GLOB projects "${examples}/*/CMakeLists.txt")
foreach(project IN LISTS projects)
    cmake_path(GET project PARENT_PATH folder)
    cmake_path(GET folder FILENAME name)
    file(STRINGS "${project}" program REGEX "^project\\(")
    string(REGEX REPLACE "^project\\(([a-z]+).*" "\\1" program "${program}")
    step("${work}/build/${name}/${program}")
    file(READ "${folder}/expected.txt" expected)
    if(NOT output STREQUAL expected)
        message(FATAL_ERROR "examples/${name} printed:\n${output}expected:\n${expected}")
    endif()
    math(EXPR count "${count} + 1")
endforeach()
if(NOT count EQUAL 6)
    message(FATAL_ERROR "${count} examples instead of 6 (one per experiment, and the emulator)")
endif()
