#pragma once
// The kernel header for the SIMT emulator: the same names as on CUDA, executed lane by lane on the CPU. Operations that
// are undefined on a GPU are reported as errors that name the kernel, block, warp, lane and call site.

#if defined(__SANITIZE_THREAD__) && !defined(LOCKSTEP_THREAD_SANITIZER) && !defined(LOCKSTEP_SIMT_HOOKS)
#error \
    "-fsanitize=thread finds no race in this kernel, because the emulator was built without it (all lanes would be one thread). Build Lockstep with -DLOCKSTEP_SANITIZER=thread"
#endif

#include "harness/simt/emulator/atomics.hpp"
#include "harness/simt/emulator/collectives.hpp"
#include "harness/simt/emulator/intrinsics.hpp"
#include "harness/simt/emulator/qualifiers.hpp"
#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/shared_memory.hpp"
#include "harness/simt/indices.hpp"
