#pragma once
// What lockstep.objects calls: code that it generates is compiled at run time, and its columns are in a machine's
// memory. `machine` is cpu, emulator or cuda. Functions return what c_abi.hpp says. They may be called from one thread
// at a time, but lockstep_objects_has_gpu() and lockstep_objects_open() also from another one.

#include <cstdint>

struct lockstep_objects_program;

// Returns 1 if there is a GPU that code can be compiled for.
extern "C" int lockstep_objects_has_gpu();

// Opens the GPU of that number, which creates its CUDA context. The first use opens it, too.
extern "C" int lockstep_objects_open(std::uint32_t gpu);
// The number of the GPU that this thread's sections would use. Loads no driver.
extern "C" std::uint32_t lockstep_objects_gpu_in_use();

// Compiles the text, or takes it from the cache. `entries` are the names of its functions, separated by spaces; the
// text defines each as void entry(Arguments const&, unsigned long long job). Programs stay loaded.
extern "C" int lockstep_objects_load(char const* machine, char const* text, char const* entries,
                                     lockstep_objects_program const** made);
// Calls the entry for the jobs 0 .. jobs - 1, waits for the end, and stores the seconds that it took on the machine;
// the emulator stores 0. `arguments` is the entry's struct.
extern "C" int lockstep_objects_launch(lockstep_objects_program const* program, char const* entry, std::uint64_t jobs,
                                       void const* arguments, double* seconds);

// Compiles the text for GPUs of that compute capability (90 is 9.0), which need not be here, and stores the size of the
// code.
extern "C" int lockstep_objects_compile_for(int capability, char const* text, char const* entries,
                                            std::uint64_t* bytes);

// Memory of the machine, not initialised.
extern "C" int lockstep_objects_allocate(char const* machine, std::uint64_t bytes, void** made);
extern "C" int lockstep_objects_release(char const* machine, void* memory);
extern "C" int lockstep_objects_upload(char const* machine, void* to, void const* from, std::uint64_t bytes);
extern "C" int lockstep_objects_download(char const* machine, void* to, void const* from, std::uint64_t bytes);
