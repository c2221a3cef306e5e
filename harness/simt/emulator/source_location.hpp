#pragma once
// std::source_location, which clang has from version 16 on. For clang 14 and 15 it is defined here from the built-in
// functions that they do have, with the members that the emulator uses.

#include <version>

#if defined(__cpp_lib_source_location) || !defined(__clang__) || __clang_major__ >= 16
#include <source_location>
#else

#include <cstdint>

namespace std {  // NOLINT(cert-dcl58-cpp): what this library would define if the compiler had one more built-in

struct source_location {
    static constexpr source_location current(char const* file = __builtin_FILE(),
                                             char const* function = __builtin_FUNCTION(),
                                             uint_least32_t line = __builtin_LINE(),
                                             uint_least32_t column = __builtin_COLUMN()) noexcept {
        source_location here;
        here.file_ = file;
        here.function_ = function;
        here.line_ = line;
        here.column_ = column;
        return here;
    }

    constexpr char const* file_name() const noexcept { return file_; }
    constexpr char const* function_name() const noexcept { return function_; }
    constexpr uint_least32_t line() const noexcept { return line_; }
    constexpr uint_least32_t column() const noexcept { return column_; }

private:
    // In this order a debugger finds them where the compiler's own record has them (debug.hpp).
    char const* file_ = "";
    char const* function_ = "";
    uint_least32_t line_ = 0;
    uint_least32_t column_ = 0;
};

}  // namespace std

#endif
