# The installed package: the libraries of harness/ and of the experiments, for other projects (examples/).
# find_package(lockstep) provides lockstep::simt, lockstep::random and so on, one library per experiment
# (lockstep::replications ...), lockstep_add_library and lockstep_emulated_sources. Headers keep their paths.

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

target_include_directories(lockstep_kernel_options INTERFACE $<INSTALL_INTERFACE:${lockstep_include_directory}>)
get_property(lockstep_libraries GLOBAL PROPERTY LOCKSTEP_LIBRARIES)
install(TARGETS lockstep_kernel_options ${lockstep_libraries} EXPORT lockstep
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT lockstep FILE lockstep-targets.cmake NAMESPACE lockstep:: DESTINATION "${lockstep_package_directory}")
install(DIRECTORY harness common kernels reference_cpu DESTINATION "${lockstep_include_directory}" FILES_MATCHING PATTERN "*.hpp")

configure_package_config_file(cmake/lockstep-config.cmake.in "${PROJECT_BINARY_DIR}/lockstep-config.cmake"
    INSTALL_DESTINATION "${lockstep_package_directory}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/lockstep-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(
    FILES
        "${PROJECT_BINARY_DIR}/lockstep-config.cmake"
        "${PROJECT_BINARY_DIR}/lockstep-config-version.cmake"
        cmake/boost.cmake
        cmake/cuda.cmake
        cmake/kernels.cmake
        cmake/mpi.cmake
    DESTINATION "${lockstep_package_directory}"
)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
