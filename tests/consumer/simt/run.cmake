# Steps of the test `simt_package`: builds the emulator alone, as a user who has cloned this tree would, installs it, and
# builds three projects with it: that of harness/simt/README.md, with and without its barrier; examples/simt, whose tests
# pass; and broken/, whose tests fail and say in which order.

function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}${errors}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

set(compiled -G "${generator}" "-DCMAKE_CXX_COMPILER=${compiler}")
file(REMOVE_RECURSE "${work}")
step("${CMAKE_COMMAND}" -S "${source}" --preset simt -B "${work}/simt" ${compiled})
step("${CMAKE_COMMAND}" --build "${work}/simt")
step("${CMAKE_COMMAND}" --install "${work}/simt" --prefix "${work}/prefix")

# The package needs none of the packages that the rest of this tree needs. Not optimised, to compile sooner.
set(user ${compiled} "-DCMAKE_PREFIX_PATH=${work}/prefix" -DCMAKE_BUILD_TYPE=None)
foreach(package IN ITEMS CLI11 fmt nlohmann_json benchmark MPI CUDAToolkit)
    list(APPEND user "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
endforeach()

file(READ "${source}/harness/simt/README.md" page)
foreach(name IN ITEMS "// first.cu" "# CMakeLists.txt")
    if(NOT page MATCHES "```[a-z]+\n${name}\n([^`]+)```")
        message(FATAL_ERROR "harness/simt/README.md has no block that begins with '${name}'")
    endif()
    set(text "${CMAKE_MATCH_1}")
    string(REGEX REPLACE "^[/# ]+" "" name "${name}")
    file(WRITE "${work}/first/${name}" "${text}")
endforeach()
step("${CMAKE_COMMAND}" -S "${work}/first" -B "${work}/first/build" ${user})
step("${CMAKE_COMMAND}" --build "${work}/first/build")
step("${CMAKE_CTEST_COMMAND}" --test-dir "${work}/first/build" --output-on-failure --no-tests=error)
file(READ "${work}/first/first.cu" kernel)
string(REPLACE "    __syncthreads();\n" "" kernel "${kernel}")
file(WRITE "${work}/first/first.cu" "${kernel}")
step("${CMAKE_COMMAND}" --build "${work}/first/build")
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${work}/first/build" OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT output MATCHES "4 tests failed out of 4")
    message(FATAL_ERROR "the kernel of harness/simt/README.md without its barrier:\n${output}")
endif()

step("${CMAKE_COMMAND}" -S "${source}/examples/simt" -B "${work}/example" ${user})
step("${CMAKE_COMMAND}" --build "${work}/example")
step("${CMAKE_CTEST_COMMAND}" --test-dir "${work}/example" --output-on-failure)
if(NOT output MATCHES "reverse_test_checked .*reverse_test_tsan .*100% tests passed, 0 tests failed out of 4")
    message(FATAL_ERROR "the tests of examples/simt printed:\n${output}")
endif()

step("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/broken" -B "${work}/broken" ${user})
step("${CMAKE_COMMAND}" --build "${work}/broken")

# fails(<program> <test> <order> <expected> <environment>...): the test fails, and prints what is expected and then how to
# repeat it in this order.
function(fails program test order expected)
    set(repeated "LOCKSTEP_ORDER=${order} PROGRAM --gtest_filter=Broken.${test}")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${ARGN} "${work}/broken/${program}" "--gtest_filter=*.${test}"
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(result EQUAL 0 OR NOT output MATCHES "${expected}.*${repeated}")
        message(FATAL_ERROR "${ARGN} ${program} ${test} (exit code ${result}) printed, without '${expected}':\n${output}")
    endif()
endfunction()

fails(broken DependsOnTheOrder descending "Expected equality")
fails(broken DependsOnTheOrder unfair:3 "Expected equality" LOCKSTEP_ORDER=unfair:3)
fails(broken HasDifferentResults descending "the result depends on the order of the lanes")
fails(broken HasDifferentResults random:2 "the result depends on the order of the lanes" LOCKSTEP_ORDER=random:2)
fails(broken_asan ReadsOutOfBounds ascending "heap-buffer-overflow.*next_value.*broken.cu:[0-9]+")
fails(broken_checked ReadsOutOfBounds ascending "read outside a buffer .0 bytes behind a buffer of 128 bytes.*kernel 'next_value', block \\(0,0,0\\).*lane 31.*broken.cu:[0-9]+")
fails(broken_checked ReadsUnset ascending "unset.*kernel 'next_value', block \\(0,0,0\\).*lane 0.*broken.cu:[0-9]+")
fails(broken_checked Races ascending "race.*kernel 'exchange', block \\(0,0,0\\).*broken.cu:[0-9]+")
fails(broken_tsan Races ascending "data race.*broken.cu:2.*block \\(0,0,0\\), warp 1, lane.*reported a race")
step("${CMAKE_COMMAND}" -E env LOCKSTEP_ORDER=ascending "${work}/broken/broken" --gtest_filter=*.DependsOnTheOrder)
step("${CMAKE_COMMAND}" -E env LOCKSTEP_SEEDS=0 "${work}/broken/broken" --gtest_filter=*.Races)

# A mistake in the package's use is a message of CMake or of the compiler.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env LOCKSTEP_ORDER=upwards "${work}/broken/broken" RESULT_VARIABLE result
    OUTPUT_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "unknown LOCKSTEP_ORDER=upwards \\(it is none of ascending")
    message(FATAL_ERROR "LOCKSTEP_ORDER=upwards (exit code ${result}) printed:\n${output}")
endif()
file(WRITE "${work}/papers/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(papers LANGUAGES CXX)\n"
    "find_package(lockstep REQUIRED COMPONENTS simt replications)\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${work}/papers" -B "${work}/papers/build" ${user} RESULT_VARIABLE result
    OUTPUT_QUIET ERROR_VARIABLE errors)
if(result EQUAL 0 OR NOT errors MATCHES "no component replications \\(this package was built without it")
    message(FATAL_ERROR "a component that is not installed (exit code ${result}):\n${errors}")
endif()
