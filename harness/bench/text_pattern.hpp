#pragma once
// The patterns of a JSON Schema: what a text of a results file may be.
//
// Syntax: `^` parts `$`, where a part is a character, a set such as `[a-z_]`, `[^0-9]` or `[\u0000-\u001f]`, `\` before
// a special character, or parts in `(?:` `)`; and `*` `+` `?` `{2}` `{1,4}` after a part. There are no alternatives:
// the next character decides whether a part is repeated once more, so a text is read once from its start to its end.
// bench::Pattern follows several ways at once, but knows no characters beyond ASCII.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::bench {

class TextPattern {
public:
    // Throws std::logic_error if the pattern has anything else, because schemas are part of the source tree.
    explicit TextPattern(std::string_view pattern);

    // Returns true if the entire text, which is UTF-8, matches.
    bool matches(std::string_view text) const;

    struct Set {
        std::vector<std::pair<char32_t, char32_t>> ranges;
        bool is_negated = false;
        bool has(char32_t c) const;

        std::array<bool, 128> ascii{};  // of has(), which takes most of the time of a check
        void fill_ascii();
    };
    struct Part {
        Set set;                  // of a group: how its first part begins
        std::vector<Part> group;  // empty if the part is one character
        std::size_t minimum = 1;
        std::size_t maximum = 1;
    };

private:
    std::vector<Part> parts_;
};

}  // namespace lockstep::bench
