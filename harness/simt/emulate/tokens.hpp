#pragma once
// The tokens of a C++ or CUDA text. Comments and white space are between tokens. Every `<` and `>` is a token of its
// own, because `>>>` may end a launch or three template argument lists.

#include <cstddef>
#include <string_view>
#include <vector>

namespace lockstep::simt::emulate {

enum class TokenKind { identifier, number, literal, punctuation };

struct Token {
    TokenKind kind;
    std::size_t begin;  // in the text
    std::size_t end;
    unsigned directive;  // 0, or the number of the preprocessor directive that the token is in
    std::string_view text;
};

// The whole text as tokens. An unterminated literal or comment ends at the end of its line or of the text.
std::vector<Token> tokens_of(std::string_view text);

// The index of the bracket that closes the one at `open` ("(", "[" or "{"), or `tokens.size()`.
std::size_t closing(std::vector<Token> const& tokens, std::size_t open);

// The index of the bracket that opens the one at `close` (")", "]" or "}"), or `tokens.size()`.
std::size_t opening(std::vector<Token> const& tokens, std::size_t close);

// The first token that is inside more than `most` brackets ("(", "[" and "{"), or null.
Token const* too_deep(std::vector<Token> const& tokens, std::size_t most);

// True if three adjacent tokens are `character`, as in `<<<`.
bool is_triple(std::vector<Token> const& tokens, std::size_t at, char character);

// The number of the line at an offset of the text, from 1.
unsigned line_of(std::string_view text, std::size_t offset);

}  // namespace lockstep::simt::emulate
