# Equal sources give equal binaries: neither the time nor the folder of a build is in them. tests/layout/reproducible.sh
# compares two builds. AddressSanitizer keeps the path of each source that has global variables, which g++ does not map.

# Paths in the program (the emulator names a kernel's line) are relative to the source tree or to the build tree.
set(prefix_maps "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" "-ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/")
list(JOIN prefix_maps "," prefix_maps_of_nvcc)
add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:${prefix_maps}>" "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${prefix_maps_of_nvcc}>")

# nvcc's intermediate files are named after the object, not after the process. (It also names what is in an anonymous
# namespace after a digest of the source's path, so builds with CUDA are equal only in equal folders.)
if(LOCKSTEP_CUDA)
    add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-objtemp>")
endif()
