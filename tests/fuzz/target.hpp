#pragma once
// A fuzz target gives one input to a real parser. The parser reads it or throws bench::Error; every other exception is
// a finding, and so are a crash, a leak, a promise that require() sees broken, more than 2 s and more than 2 GB.
//
//   void pattern(std::string const& text);   // in pattern.cpp, in namespace lockstep::fuzz
//   LOCKSTEP_FUZZ_TARGET(pattern)
//
// Preset `fuzz` makes each target a program with libFuzzer. In the other presets, corpus_test.cpp gives each target the
// files of corpus/<target>/.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/bench/error.hpp"

namespace lockstep::fuzz {

// A parser broke a promise. Not a bench::Error, so that no parser's caller can take it for a rejected input.
class Finding : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

inline void require(bool const holds, std::string const& promise) {
    if (!holds)
        throw Finding(promise);
}

// Returns false if the parser rejects its input.
template <class Parse>
bool accepts(Parse const& parse) {
    try {
        parse();
        return true;
    } catch (bench::Error const& error) {
        require(*error.what() != '\0', "an error says what is wrong");
        return false;
    }
}

// The input before and after its first line that has only `---`; the second part is empty without such a line.
inline std::pair<std::string, std::string> two_parts(std::string const& input) {
    constexpr std::string_view separator = "\n---\n";
    std::size_t const at = input.find(separator);
    if (at == std::string::npos)
        return {input, ""};
    return {input.substr(0, at), input.substr(at + separator.size())};
}

struct Target {
    char const* name;
    void (*run)(std::string const& input);
};

// The targets of this program, in any order.
inline std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

}  // namespace lockstep::fuzz

#ifdef LOCKSTEP_FUZZER
#define LOCKSTEP_FUZZ_TARGET(name)                                                      \
    extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  \
    extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) { \
        lockstep::fuzz::name(std::string(reinterpret_cast<char const*>(data), size));   \
        return 0;                                                                       \
    }
#else
#define LOCKSTEP_FUZZ_TARGET(name)                                                  \
    namespace {                                                                     \
    [[maybe_unused]] bool const name##_is_listed =                                  \
        (lockstep::fuzz::targets().push_back({#name, lockstep::fuzz::name}), true); \
    }
#endif
