#pragma once
// A regular expression over names. <regex> is known to pattern.cpp alone: it takes longer to compile than what uses it.

#include <memory>
#include <string>

namespace lockstep::bench {

class Pattern {
public:
    // ECMAScript's syntax. Throws std::invalid_argument, with the reason, for a text that is no regular expression.
    explicit Pattern(std::string const& text);

    // Whether the whole name is of the pattern.
    bool matches(std::string const& name) const;

    // Whether a part of the name is.
    bool is_in(std::string const& name) const;

private:
    struct Compiled;
    std::shared_ptr<Compiled const> compiled_;
};

}  // namespace lockstep::bench
