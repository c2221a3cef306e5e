// assert() of a lane names the lane. As that of the C library, whose header this one replaces for a foreign program, it
// has no guard: NDEBUG may have changed.

#include_next <assert.h>

#if defined(__cplusplus) && !defined(NDEBUG)
namespace lockstep::simt::cuda {
[[noreturn]] void fail_assertion(char const* expression, char const* file, unsigned line, char const* function);
}
#undef assert
#define assert(expression)         \
    (static_cast<bool>(expression) \
         ? void(0)                 \
         : ::lockstep::simt::cuda::fail_assertion(#expression, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#endif
