#pragma once
// Reads the declarations of a user's file that is otherwise C++, statement by statement: past comments and what is
// quoted, with an eye on brackets. The C++ is left to the compiler.

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "harness/jit/parameters.hpp"

namespace lockstep::jit {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Brackets inside one another, as in C++'s own recommendation. Compilers crash on far deeper ones, or take minutes.
inline constexpr std::size_t max_nesting = 256;

// Positions count in the text. `statement` is the position of the declaration that is read, for messages.
class DeclarationReader {
protected:
    // Throws bench::Error for a NUL byte and for brackets that are too deep. `members` are names that have a meaning in
    // the code; `kind` is what the file is, for messages: "a rule file". `text` must outlive the reader.
    DeclarationReader(std::string const& text, std::string const& path, std::string const& kind,
                      std::set<std::string> members);
    virtual ~DeclarationReader() = default;

    // How to write the statement at this position, for messages.
    virtual std::string form_of(std::size_t statement) const = 0;

    std::size_t line_of(std::size_t at) const;
    [[noreturn]] void fail(std::size_t at, std::string const& why, std::string const& suggestion) const;
    void skip_space();
    std::string peek_word() const;
    std::string take_word(std::string const& what, std::size_t statement);
    bool take(char c);
    void expect(char c, std::size_t statement);
    // True if the word at the current position begins a declaration: a name follows it. "column = 3" is C++.
    bool begins(std::string const& word) const;
    Type take_type(std::size_t statement);
    // A new name that has no meaning yet.
    std::string take_name(std::string const& what, std::size_t statement);
    // parameter TYPE NAME = NUMBER;
    ParameterLine take_parameter(std::size_t statement);
    // Skips a line for the preprocessor. Rejects #include.
    void skip_directive();
    // Replaces a part of the code by spaces, so that lines and positions stay.
    static void blank(std::string& code, std::size_t from, std::size_t to);
    // Skips to the end of a statement: a semicolon, or the brace that closes a function.
    void skip_code();
    void close(char c);
    // The text up to one of the characters outside of brackets.
    std::string until(std::string const& ends, std::size_t statement);
    // The same, with spaces in place of comments.
    std::string plain_until(std::string const& ends, std::size_t statement);
    void require_closed() const;

    std::string const& text_;
    std::string const path_;
    std::string const kind_;
    std::string const plain_;  // the text with spaces in place of comments and of what is quoted
    std::size_t at_ = 0;
    std::vector<std::size_t> open_;  // positions of brackets that are not closed

private:
    std::set<std::string> names_;  // that have a meaning
    std::set<std::string> declared_;
};

}  // namespace lockstep::jit
