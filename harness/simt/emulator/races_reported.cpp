#include "harness/simt/emulator/races_reported.hpp"

#include <atomic>

namespace lockstep::simt::emulator {
namespace {
std::atomic<int> races{0};
}  // namespace

int races_reported() { return races.load(std::memory_order_relaxed); }

}  // namespace lockstep::simt::emulator

#if defined(LOCKSTEP_THREAD_SANITIZER)
// ThreadSanitizer calls this function, if a program has it, at each report. Not in a header, because the runtime of
// clang has a weak function of this name, which wins against an inline one.
extern "C" [[gnu::weak]] void __tsan_on_report(void const* report);  // NOLINT(bugprone-reserved-identifier)
void __tsan_on_report(void const*) { lockstep::simt::emulator::races.fetch_add(1, std::memory_order_relaxed); }
#endif
