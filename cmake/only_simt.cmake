# The SIMT emulator alone (LOCKSTEP_ONLY=simt): the libraries of harness/simt in three builds, and their package. It
# needs a C++ compiler only; no nvcc unless LOCKSTEP_CUDA asks for it. (Other processors than x86-64: boost_context.cmake.)

include(cmake/cuda.cmake)
include(cmake/kernels.cmake)
include(cmake/kernel_tests.cmake)
include(cmake/embed_texts.cmake)
include(cmake/threads.cmake)
include(cmake/boost_context.cmake)
include(cmake/reproducible.cmake)
include(cmake/sanitizers.cmake)

add_subdirectory(harness/simt)
include(cmake/install.cmake)
