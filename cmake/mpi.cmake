# MPI (optional): one job on several GPUs, with one rank per GPU (harness/ranks). Sets LOCKSTEP_WITH_MPI and, if it is
# TRUE, defines MPI::MPI_CXX. Reads LOCKSTEP_MPI: AUTO (use MPI if found), ON or OFF. Used by this tree and by projects
# that find an installed lockstep.

if(NOT DEFINED LOCKSTEP_MPI)
    set(LOCKSTEP_MPI AUTO)
endif()
string(TOUPPER "${LOCKSTEP_MPI}" lockstep_mpi_requested)

set(LOCKSTEP_WITH_MPI FALSE)
if(NOT lockstep_mpi_requested STREQUAL "OFF" AND NOT LOCKSTEP_SANITIZER)
    # Use only the C API: Open MPI has removed its C++ bindings.
    set(MPI_CXX_SKIP_MPICXX TRUE)
    if(lockstep_mpi_requested STREQUAL "AUTO")
        find_package(MPI 3.0 QUIET COMPONENTS CXX)
    else()
        find_package(MPI 3.0 REQUIRED COMPONENTS CXX)
    endif()
    set(LOCKSTEP_WITH_MPI ${MPI_CXX_FOUND})
endif()
