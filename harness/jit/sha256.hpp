#pragma once
// SHA-256 (FIPS 180-4), which names the files of the cache and checks them before they are loaded.

#include <string>
#include <string_view>

namespace lockstep::jit {

// Returns the digest as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view text);

}  // namespace lockstep::jit
