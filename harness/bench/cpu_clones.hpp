#pragma once
// Compiles a function for newer CPUs as well and selects the version when the program starts. Without it, every fused
// multiply-add is a call into the library. Sanitizers do not support this selection.

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LOCKSTEP_CPU_CLONES __attribute__((target_clones("arch=haswell", "default"), flatten))
#define LOCKSTEP_VECTORISED __attribute__((optimize("O3")))
#else
#define LOCKSTEP_CPU_CLONES
#define LOCKSTEP_VECTORISED
#endif
