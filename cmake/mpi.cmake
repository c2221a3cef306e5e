# MPI (optional): one job on several GPUs, a rank each (harness/ranks). Gives LOCKSTEP_WITH_MPI and, where that is TRUE,
# MPI::MPI_CXX. Reads LOCKSTEP_MPI: AUTO (where it is found), ON or OFF. Used by this tree and by projects that find an
# installed lockstep.

if(NOT DEFINED LOCKSTEP_MPI)
    set(LOCKSTEP_MPI AUTO)
endif()
string(TOUPPER "${LOCKSTEP_MPI}" lockstep_mpi_wish)

set(LOCKSTEP_WITH_MPI FALSE)
if(NOT lockstep_mpi_wish STREQUAL "OFF" AND NOT LOCKSTEP_SANITIZER)
    # The C functions alone: Open MPI has dropped those of C++.
    set(MPI_CXX_SKIP_MPICXX TRUE)
    if(lockstep_mpi_wish STREQUAL "AUTO")
        find_package(MPI 3.0 QUIET COMPONENTS CXX)
    else()
        find_package(MPI 3.0 REQUIRED COMPONENTS CXX)
    endif()
    set(LOCKSTEP_WITH_MPI ${MPI_CXX_FOUND})
endif()
