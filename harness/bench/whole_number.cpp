#include "harness/bench/whole_number.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace lockstep::bench {

namespace {

bool is_digits(std::string_view const text) {
    return std::all_of(text.begin(), text.end(), [](char const c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string whole_number(std::string const& text) {
    std::string_view const all = text;
    std::size_t const mark = std::min(all.find_first_of("eE"), all.size());
    std::string_view const mantissa = all.substr(0, mark);
    std::string_view power = all.substr(std::min(mark + 1, all.size()));
    if (power.starts_with('+') && !power.starts_with("+-"))
        power.remove_prefix(1);
    int exponent = 0;
    auto const [stop, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc() || stop != power.data() + power.size() || exponent > max_exponent ||
        exponent < -max_exponent)
        return text;
    std::size_t const point = std::min(mantissa.find('.'), mantissa.size());
    std::string_view const before = mantissa.substr(0, point);
    std::string_view const behind = mantissa.substr(std::min(point + 1, mantissa.size()));
    if (before.empty() || !is_digits(before) || !is_digits(behind))
        return text;
    std::string digits(before);
    digits += behind;
    for (exponent -= static_cast<int>(behind.size()); exponent < 0; ++exponent) {
        if (digits.empty() || digits.back() != '0')
            return digits.empty() ? "0" : text;
        digits.pop_back();
    }
    digits.append(static_cast<std::size_t>(exponent), '0');
    std::size_t const first = digits.find_first_not_of('0');
    return first == std::string::npos ? "0" : digits.substr(first);
}

}  // namespace lockstep::bench
