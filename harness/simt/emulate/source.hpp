#pragma once
// A source file in the hands of the translator: its text, its tokens, and the changes that will be made to it.

#include <string>
#include <string_view>
#include <vector>

#include "harness/simt/emulate/tokens.hpp"

namespace lockstep::simt::emulate {

// Replaces [begin, end) of the text.
struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
};

struct Source {
    Source(std::string file_path, std::string file_text);
    // Tokens refer to the text, which would move.
    Source(Source const&) = delete;
    Source& operator=(Source const&) = delete;
    ~Source() = default;

    std::string path;
    std::string text;
    std::vector<Token> code;                     // outside of preprocessor directives
    std::vector<std::vector<Token>> directives;  // each begins with `#`
    std::vector<Edit> edits;

    std::string_view between(std::size_t begin, std::size_t end) const {
        return std::string_view(text).substr(begin, end - begin);
    }
    void replace(std::size_t begin, std::size_t end, std::string replacement);
    // The text with all edits. Of two that overlap, the one that begins first is made.
    std::string edited() const;
};

// The function definitions of a file, as far as they can be told without its macros and headers.
struct Function {
    std::size_t header;  // indices in Source::code: of the first token of the declaration,
    std::size_t open;    // of the brace that opens the body,
    std::size_t close;   // and of the brace that closes it
    bool is_kernel = false;
    bool is_device = false;
    bool is_host = false;

    bool runs_on_device_only() const { return is_kernel || (is_device && !is_host); }
};

struct Scopes {
    std::vector<Function> functions;
    std::vector<bool> at_namespace;  // by index in Source::code

    // The function whose body has the token, or null.
    Function const* function_of(std::size_t token) const;
};

Scopes scopes_of(Source const& source);

// Newlines of a text, to keep line numbers where text is moved or dropped.
std::string newlines_of(std::string_view text);

}  // namespace lockstep::simt::emulate
