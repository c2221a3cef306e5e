// clang's libFuzzer on both parsers; fuzz.sh builds and runs it. The first byte selects the language.

#include <cstdint>

#include "tests/term_rewriting/parse_any.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0)
        return 0;
    std::string const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    lockstep::term_rewriting::parse_any(text, data[0] == 'r');
    return 0;
}
