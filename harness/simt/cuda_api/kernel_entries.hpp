#pragma once
// What a kernel does first. The translator writes it at the start of each kernel's body, with the arguments of
// __launch_bounds__ if it has some:
//
// - It tells the running launch which kernel this is. The launch is refused if its blocks have more threads or shared
//   memory than this kernel may have.
// - It adds an entry to a table of the program's object, so that the runtime knows the bound of a kernel by its address
//   (cudaFuncGetAttributes, cudaOccupancyMaxPotentialBlockSize), before its first launch. The entry belongs
//   to the section group of the kernel, so that each instance of a template has one.

#include <cstdint>
#include <type_traits>

namespace lockstep::simt::cuda {

struct KernelEntry {
    std::int32_t instruction;  // in the kernel, from the address of this member
    std::int32_t max_threads;
};
bool know_launch_bounds(KernelEntry const* begin, KernelEntry const* end);

// The first argument of __launch_bounds__, or 0. The others limit the registers of a thread.
constexpr int launch_bound(int threads = 0, int /*min_blocks*/ = 0, int /*max_cluster*/ = 0) { return threads; }

// Ends the launch if its blocks have more threads than `max_threads`, unless that is 0, or more dynamic shared memory
// than the caller, which is the kernel, may have.
void enter_kernel(int max_threads);

}  // namespace lockstep::simt::cuda

// Without the code that the counters count.
#undef LOCKSTEP_KERNEL_ENTRY
#if defined(LOCKSTEP_WHOLE_VECTORS)
#define LOCKSTEP_KERNEL_ENTRY(...)
#else
#define LOCKSTEP_KERNEL_ENTRY(...)                                                                                    \
    if constexpr (::lockstep::simt::cuda::launch_bound(__VA_ARGS__) > 0) {                                            \
        asm volatile(".pushsection lockstep_kernels,\"a?\"\n.balign 4\n.long 771f - .\n.long %c0\n.popsection\n771:"  \
                     :                                                                                                \
                     : "i"(::std::integral_constant<int, ::lockstep::simt::cuda::launch_bound(__VA_ARGS__)>::value)); \
    }                                                                                                                 \
    ::lockstep::simt::cuda::enter_kernel(::lockstep::simt::cuda::launch_bound(__VA_ARGS__));

// The linker's names of the table's ends.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
[[gnu::weak, gnu::visibility("hidden")]] extern lockstep::simt::cuda::KernelEntry const __start_lockstep_kernels[];
[[gnu::weak, gnu::visibility("hidden")]] extern lockstep::simt::cuda::KernelEntry const __stop_lockstep_kernels[];
// NOLINTEND(bugprone-reserved-identifier)
}
[[maybe_unused]] static bool const lockstep_bounds_known =
    lockstep::simt::cuda::know_launch_bounds(__start_lockstep_kernels, __stop_lockstep_kernels);
#endif
