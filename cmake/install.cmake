# The installed package: the libraries of harness/ and of the experiments, for other projects (examples/).
# find_package(lockstep) provides lockstep::simt, lockstep::random and so on, one library per experiment
# (lockstep::replications ...), lockstep_add_library and lockstep_emulated_sources. Headers keep their paths.
# find_package(lockstep COMPONENTS simt) provides the emulator and what it needs, and nothing else.

if(LOCKSTEP_SANITIZER OR LOCKSTEP_HARNESS OR NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()
if(lockstep_fetched)
    message(STATUS "Lockstep: this build cannot be installed (it fetched ${lockstep_fetched}). Install these packages on the system and configure again")
    return()
endif()

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(lockstep_include_directory "${CMAKE_INSTALL_INCLUDEDIR}/lockstep-${PROJECT_VERSION}")
set(lockstep_package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/lockstep")
set(lockstep_package_files boost_context.cmake cuda.cmake kernels.cmake kernel_tests.cmake)

target_include_directories(lockstep_kernel_options INTERFACE $<INSTALL_INTERFACE:${lockstep_include_directory}>)

# lockstep_install_libraries(<export> <target>...)
function(lockstep_install_libraries export)
    install(TARGETS ${ARGN} EXPORT ${export} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    install(EXPORT ${export} FILE ${export}-targets.cmake NAMESPACE lockstep:: DESTINATION "${lockstep_package_directory}")
endfunction()

set(lockstep_simt_libraries lockstep_kernel_options lockstep_emulator lockstep_simt lockstep_simt_hooks lockstep_simt_hooked)
if(LOCKSTEP_SIMT_SANITIZERS)
    list(APPEND lockstep_simt_libraries lockstep_simt_asan lockstep_simt_tsan)
endif()
lockstep_install_libraries(lockstep-simt ${lockstep_simt_libraries})

if(NOT LOCKSTEP_ONLY)
    get_property(lockstep_libraries GLOBAL PROPERTY LOCKSTEP_LIBRARIES)
    list(REMOVE_ITEM lockstep_libraries ${lockstep_simt_libraries})
    lockstep_install_libraries(lockstep ${lockstep_libraries})
    list(APPEND lockstep_package_files boost.cmake mpi.cmake weave.cmake)
    install(DIRECTORY harness common kernels reference_cpu experiments DESTINATION "${lockstep_include_directory}"
        FILES_MATCHING PATTERN "*.hpp")
else()
    install(DIRECTORY harness/simt DESTINATION "${lockstep_include_directory}/harness" FILES_MATCHING PATTERN "*.hpp")
endif()

configure_package_config_file(cmake/lockstep-config.cmake.in "${PROJECT_BINARY_DIR}/lockstep-config.cmake"
    INSTALL_DESTINATION "${lockstep_package_directory}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/lockstep-config-version.cmake" COMPATIBILITY SameMinorVersion)
list(TRANSFORM lockstep_package_files PREPEND cmake/)
install(
    FILES
        "${PROJECT_BINARY_DIR}/lockstep-config.cmake"
        "${PROJECT_BINARY_DIR}/lockstep-config-version.cmake"
        ${lockstep_package_files}
    DESTINATION "${lockstep_package_directory}"
)
install(FILES harness/simt/gdb/lanes.py DESTINATION "${CMAKE_INSTALL_DATADIR}/lockstep-${PROJECT_VERSION}/gdb")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
