# Links experiments to the harness of another build, so that work on one experiment compiles only that experiment.

set(LOCKSTEP_HARNESS "" CACHE PATH "Build directory of this version whose harness is linked instead of being compiled")

if(LOCKSTEP_HARNESS)
    # The exported targets of a build with CUDA refer to CUDA's targets.
    find_package(CUDAToolkit QUIET)
    include("${LOCKSTEP_HARNESS}/lockstep-harness.cmake")
endif()

# lockstep_export_harness(): writes lockstep-harness.cmake, which describes the libraries that exist so far.
function(lockstep_export_harness)
    if(NOT LOCKSTEP_SANITIZER AND NOT lockstep_fetched AND PROJECT_IS_TOP_LEVEL)
        get_property(libraries GLOBAL PROPERTY LOCKSTEP_LIBRARIES)
        export(TARGETS lockstep_kernel_options ${libraries} NAMESPACE lockstep::
            FILE "${PROJECT_BINARY_DIR}/lockstep-harness.cmake")
    endif()
endfunction()
