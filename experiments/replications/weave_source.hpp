#pragma once
// Copies C++ text piece by piece: comments, strings, names and lines for the preprocessor.

#include <string>
#include <string_view>

namespace lockstep::replications {

class SourceCopier {
protected:
    // The copy begins with a #line directive that names `file`.
    SourceCopier(std::string_view text, std::string file);

    // Throws bench::Error with the file and the line.
    [[noreturn]] void fail(unsigned line, std::string const& problem, std::string const& why,
                           std::string const& suggestion = {}) const;

    bool follows(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
    // True if only spaces are before this position on its line.
    bool begins_line() const;
    // The end of this line; a backslash before it continues the line.
    std::size_t end_of_logical_line() const;

    // Copies `count` characters unchanged.
    void copy(std::size_t count);
    // Copies up to and including the next `what` from at_ + from on, or to the end of the text.
    void copy_past(std::string_view what, std::size_t from);
    // Copies a string or character literal, up to its quote or the end of the line.
    void copy_literal();
    bool opens_raw_string(std::string_view prefix) const;
    void copy_raw_string();
    // Copies a line for the preprocessor, and a comment that begins on it.
    void copy_directive(std::string_view line);

    std::string_view text_;
    std::string file_;
    std::string out_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
};

}  // namespace lockstep::replications
