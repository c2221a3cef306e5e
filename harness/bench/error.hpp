#pragma once
// A user error or an unusable file: one line, *problem (why) suggestion*, exit code 2.

#include <stdexcept>
#include <string>

namespace lockstep::bench {

class Error : public std::runtime_error {
public:
    explicit Error(std::string const& message) : std::runtime_error(to_its_end(message)) {}

    // "<problem> (<why>) <suggestion>"; empty parts are omitted.
    Error(std::string const& problem, std::string const& why, std::string const& suggestion = {})
        : Error(problem + (why.empty() ? "" : " (" + why + ")") + (suggestion.empty() ? "" : " " + suggestion)) {}

private:
    // what() ends at the first NUL, and a text of a user's that the message quotes can have one. The replacement is
    // that of one_line().
    static std::string to_its_end(std::string message) {
        for (std::size_t at = 0; (at = message.find('\0', at)) != std::string::npos;)
            message.replace(at, 1, "\\x00");
        return message;
    }
};

// A file that cannot be read: a mistake whatever else the command line says.
class UnreadableInput : public Error {
public:
    using Error::Error;
};

}  // namespace lockstep::bench
