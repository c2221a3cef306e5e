// Functions of the C library that are others on a device. The program's object calls them (include/assert.h, and the
// linker's --wrap for the printf of harness/jit/foreign_program.cpp).

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>

#include "harness/simt/emulator/runtime.hpp"

// What the C library's own macro calls. <cassert> does not declare it with NDEBUG.
extern "C" [[noreturn]] void __assert_fail(char const* expression, char const* file, unsigned line,
                                           char const* function) noexcept;  // NOLINT(bugprone-reserved-identifier)

namespace lockstep::simt::cuda {
namespace {

// The arguments that a format takes: those of its conversions, and of widths that are `*`.
int arguments_of(std::string_view format) {
    int count = 0;
    for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at + 1)) {
        std::size_t const end = std::min(format.find_first_not_of("-+ #0123456789.*hlLjzt", at + 1), format.size());
        for (char const c : format.substr(at, end - at)) {
            count += c == '*' ? 1 : 0;
        }
        at = end;
        count += end < format.size() && format[end] != '%' ? 1 : 0;
    }
    return count;
}

}  // namespace

[[noreturn]] void fail_assertion(char const* expression, char const* file, unsigned line, char const* function) {
    if (!emulator::on_lane()) {
        __assert_fail(expression, file, line, function);
    }
    std::string const thread =
        "(" + std::to_string(threadIdx.x) + "," + std::to_string(threadIdx.y) + "," + std::to_string(threadIdx.z) + ")";
    emulator::refuse(("assertion '" + std::string(expression) + "' fails for thread " + thread).c_str(), file, line);
}

}  // namespace lockstep::simt::cuda

// A device's printf returns the number of its arguments, and -1 without a format (CUDA C++ Programming Guide, Formatted
// Output).
extern "C" int __wrap_printf(char const* format, ...) {  // NOLINT(bugprone-reserved-identifier)
    bool const on_lane = lockstep::simt::emulator::on_lane();
    if (on_lane && format == nullptr) {
        return -1;
    }
    va_list arguments;
    va_start(arguments, format);
    int const printed = std::vprintf(format, arguments);
    va_end(arguments);
    return on_lane && printed >= 0 ? lockstep::simt::cuda::arguments_of(format) : printed;
}
