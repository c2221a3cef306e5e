#include "experiments/replications/weave_tokens.hpp"

#include <cctype>

namespace lockstep::replications {

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.remove_suffix(1);
    return text;
}

std::string_view word_at(std::string_view text, std::size_t at) {
    bool const number = at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    std::size_t end = at;
    for (; end < text.size(); ++end) {
        // A separator is between two characters of the number.
        bool const separates = number && text[end] == '\'' && end + 1 < text.size() && is_name_character(text[end + 1]);
        if (!is_name_character(text[end]) && !separates)
            break;
    }
    return text.substr(at, end - at);
}

std::size_t past_literal(std::string_view text, std::size_t at) {
    char const quote = text[at];
    for (++at; at < text.size() && text[at] != '\n'; ++at) {
        if (text[at] == quote)
            return at + 1;
        if (text[at] == '\\')
            ++at;
    }
    return text.npos;
}

bool is_raw_prefix(std::string_view prefix) {
    return prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR";
}

}  // namespace lockstep::replications
