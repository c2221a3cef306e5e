#pragma once
// Whole numbers that people write with an exponent.

#include <string>

namespace lockstep::bench {

// Larger exponents are left as they are: no option takes more digits, and a message can show these.
inline constexpr int max_exponent = 400;

// Returns 1e9 and 1.5e3 as digits alone, without leading zeros. Returns any other text as it is, such as 0x10,
// or 2.5e0, which is not whole.
std::string whole_number(std::string const& text);

}  // namespace lockstep::bench
