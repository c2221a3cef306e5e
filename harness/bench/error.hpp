#pragma once
// A user error or an unusable file: one line, *problem (why) suggestion*, exit code 2.

#include <stdexcept>
#include <string>

namespace lockstep::bench {

class Error : public std::runtime_error {
public:
    explicit Error(std::string const& message) : std::runtime_error(message) {}

    // "<problem> (<why>) <suggestion>"; empty parts are omitted.
    Error(std::string const& problem, std::string const& why, std::string const& suggestion = {})
        : std::runtime_error(problem + (why.empty() ? "" : " (" + why + ")") +
                             (suggestion.empty() ? "" : " " + suggestion)) {}
};

}  // namespace lockstep::bench
