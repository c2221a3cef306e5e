#pragma once
// A regular expression over names: of variants, limits and metrics.
//
// Syntax: characters, `.`, `x*` `x+` `x?` `x{2}` `x{2,}` `x{2,4}`, `x|y`, `(x)`, `[a-z_]` `[^0-9]`, `\d \w \s` and
// their complements `\D \W \S`, `\` before a special character, `^` and `$` for the ends of the name.
//
// The matcher is our own, for patterns come from command lines and files. std::regex and Python's `re` try one way
// through the pattern after another, which takes exponential time for `(.*)*(.*)*x`, and std::regex recurses for each
// character and each parenthesis, so that a long pattern overflows the stack. RE2 has neither fault, but it would be
// one more package to install for a few hundred lines. This matcher follows all ways at once (Thompson's simulation),
// and its time is at most states x characters.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {

class Pattern {
public:
    static constexpr std::size_t max_length = 500;   // characters
    static constexpr std::size_t max_depth = 20;     // parentheses inside each other
    static constexpr std::size_t max_repeat = 100;   // m and n of x{m,n}
    static constexpr std::size_t max_states = 5000;  // x{m,n} counts as n copies of x

    // Throws bench::Error, which names `origin` (such as "--variant"), the position and what is wrong there.
    Pattern(std::string_view text, std::string const& origin);

    // Returns true if the pattern matches the entire name.
    bool matches(std::string_view name) const { return simulate(name, false).found; }

    // Returns true if the pattern matches a part of the name.
    bool is_in(std::string_view name) const { return simulate(name, true).found; }

    // The work of matches() or is_in(): the number of states that they reach, at most states() x (characters + 1).
    std::uint64_t steps(std::string_view name, bool anywhere) const { return simulate(name, anywhere).steps; }
    std::size_t states() const;

    struct State;

private:
    struct Simulation {
        bool found = false;
        std::uint64_t steps = 0;
    };
    Simulation simulate(std::string_view name, bool anywhere) const;

    std::shared_ptr<std::vector<State> const> states_;  // the last one accepts
};

}  // namespace lockstep::bench
