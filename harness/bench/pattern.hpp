#pragma once
// A regular expression over names. Only pattern.cpp includes <regex>, because that header takes longer to compile than
// the code that uses it.

#include <memory>
#include <string>

namespace lockstep::bench {

class Pattern {
public:
    // ECMAScript syntax. Throws std::invalid_argument with the reason if `text` is not a valid regular expression.
    explicit Pattern(std::string const& text);

    // Returns true if the pattern matches the entire name.
    bool matches(std::string const& name) const;

    // Returns true if the pattern matches a part of the name.
    bool is_in(std::string const& name) const;

private:
    struct Compiled;
    std::shared_ptr<Compiled const> compiled_;
};

}  // namespace lockstep::bench
