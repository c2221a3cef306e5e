#pragma once
// The head of an .npy file, for programs that write arrays.

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::bench {

// Format version 1.0. `type` as NumPy writes it ("<u4", "|u1"); the values follow in C order.
std::string npy_head(std::string const& type, std::vector<std::uint64_t> const& shape);

}  // namespace lockstep::bench
