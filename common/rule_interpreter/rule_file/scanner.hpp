#pragma once
// Goes through the text of a rule file, past comments and what is quoted, with an eye on brackets.

#include <cctype>
#include <string>
#include <vector>

namespace lockstep::rule_interpreter::rule_file {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Positions count in the text. `statement` is the position of the declaration that is read, for messages.
class Scanner {
protected:
    Scanner(std::string const& text, std::string const& path);

    std::size_t line_of(std::size_t at) const;
    [[noreturn]] void fail(std::size_t at, std::string const& why, std::string const& suggestion) const;
    void skip_space();
    std::string peek_word() const;
    std::string take_word(std::string const& what, std::size_t statement);
    bool take(char c);
    void expect(char c, std::size_t statement);
    std::string form_of(std::size_t statement) const;
    // Skips to the end of a statement: a semicolon, or the brace that closes a function.
    void skip_code();
    void close(char c);
    // The text up to one of the characters outside of brackets.
    std::string until(std::string const& ends, std::size_t statement);
    void require_closed() const;

    std::string const& text_;
    std::string const path_;
    std::string const plain_;  // the text with spaces in place of comments and of what is quoted
    std::size_t at_ = 0;
    std::vector<std::size_t> open_;  // positions of brackets that are not closed
};

}  // namespace lockstep::rule_interpreter::rule_file
