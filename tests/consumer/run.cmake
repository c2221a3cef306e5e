# Steps of the test `consumer`. The installed tree is made anew, so that nothing of an earlier version is found in it.

function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${work}/prefix" "${work}/build")
step("${CMAKE_COMMAND}" --install "${build}" --config "${config}" --prefix "${work}/prefix")
step("${CMAKE_COMMAND}" -S "${project}" -B "${work}/build" -G "${generator}"
    "-DCMAKE_PREFIX_PATH=${work}/prefix" "-DCMAKE_BUILD_TYPE=${config}" "-DCMAKE_CXX_COMPILER=${compiler}")
step("${CMAKE_COMMAND}" --build "${work}/build" --config "${config}")
step("${work}/build/reverse")
if(NOT output MATCHES "31 30 29 .* 2 1 0\n$")
    message(FATAL_ERROR "the consumer's kernel printed:\n${output}")
endif()
