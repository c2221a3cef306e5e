#include "harness/bench/limits/limit.hpp"

#include <array>
#include <cstdio>

namespace lockstep::limits {

std::string size_name(std::uint64_t bytes) {
    constexpr std::array<char const*, 4> units = {"B", "KB", "MB", "GB"};
    std::size_t unit = 0;
    while (unit + 1 < units.size() && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++unit;
    }
    return std::to_string(bytes) + units[unit];
}

std::string difference(char const* what, std::uint64_t index, std::uint64_t actual, std::uint64_t expected) {
    std::array<char, 120> text{};
    std::snprintf(text.data(), text.size(), "%s %llu is 0x%08llx, not 0x%08llx", what,
                  static_cast<unsigned long long>(index), static_cast<unsigned long long>(actual),
                  static_cast<unsigned long long>(expected));
    return text.data();
}

}  // namespace lockstep::limits
