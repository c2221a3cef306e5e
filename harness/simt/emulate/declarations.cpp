// The names that a declaration declares. The types may be templates; the declarators are names with pointers and array
// bounds.

#include <algorithm>
#include <array>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

constexpr std::array<std::string_view, 11> no_names = {"struct",        "class",    "union",   "enum",
                                                       "typename",      "decltype", "alignas", "__align__",
                                                       "__attribute__", "const",    "volatile"};

bool can_be_name(std::vector<Token> const& tokens, std::size_t begin, std::size_t i) {
    auto const is_no_name = [](std::string_view word) {
        return std::find(no_names.begin(), no_names.end(), word) != no_names.end();
    };
    bool const names_type = i > begin && (tokens[i - 1].text == "struct" || tokens[i - 1].text == "class" ||
                                          tokens[i - 1].text == "union" || tokens[i - 1].text == "enum");
    return tokens[i].kind == TokenKind::identifier && i > begin && !names_type && !is_no_name(tokens[i].text);
}

// The first declared name: the identifier at no depth that an array bound, an initializer or the end follows.
std::size_t first_name(std::vector<Token> const& tokens, std::size_t begin, std::size_t end) {
    int angles = 0;
    for (std::size_t i = begin; i < end; ++i) {
        std::string_view const text = tokens[i].text;
        std::string_view const next = i + 1 < end ? tokens[i + 1].text : ";";
        bool const ends = next == ";" || next == "[" || next == "," || next == "=" || next == "{" || next == "(";
        if (angles == 0 && ends && can_be_name(tokens, begin, i)) {
            return i;
        }
        if (text == "(" || text == "[" || text == "{") {
            i = closing(tokens, i);
        } else if (text == "<") {
            ++angles;
        } else if (text == ">") {
            --angles;
        }
    }
    return end;
}

}  // namespace

Declaration declaration_of(std::vector<Token> const& tokens, std::size_t begin, std::size_t end) {
    Declaration declaration;
    std::size_t name = first_name(tokens, begin, end);
    while (name < end) {
        std::size_t i = name + 1;
        std::size_t initializer = 0;
        for (; i < end && tokens[i].text != ","; ++i) {
            bool const initializes = tokens[i].text == "=" || tokens[i].text == "{" || tokens[i].text == "(";
            initializer = initializer == 0 && initializes ? i : initializer;
            if (tokens[i].text == "(" || tokens[i].text == "[" || tokens[i].text == "{") {
                i = closing(tokens, i);
            }
        }
        i = std::min(i, end);
        declaration.names.push_back({name, i, initializer == 0 ? i : initializer});
        name = i + 1;
        while (name < end && tokens[name].kind != TokenKind::identifier) {
            ++name;
        }
    }
    return declaration;
}

}  // namespace lockstep::simt::emulate
