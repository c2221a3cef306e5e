#include "harness/bench/json_text.hpp"

#include <algorithm>
#include <optional>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

namespace {

// "line:column", for example "3:5", of a byte. Like the parser, counts bytes from 1.
std::string line_and_column(std::string_view const text, std::size_t const byte) {
    std::size_t const end = std::min(byte == 0 ? 0 : byte - 1, text.size());
    std::string_view const before = text.substr(0, end);
    auto const line = 1 + std::count(before.begin(), before.end(), '\n');
    std::size_t const start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return std::to_string(line) + ":" + std::to_string(end - start + 1);
}

// The parser's message without its number and position, which the caller reports. It quotes the text, so it can be
// long and have any bytes.
std::string parser_message(std::string message) {
    for (char const* const mark : {"syntax error while parsing ", "parse error", "number overflow"}) {
        std::size_t const at = message.find(mark);
        if (at != std::string::npos) {
            message = message.substr(at);
            break;
        }
    }
    constexpr std::size_t max_shown = 200;
    if (message.size() > max_shown)
        message = message.substr(0, max_shown / 2) + "..." + message.substr(message.size() - max_shown / 2);
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::replace_if(
        message.begin(), message.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return message;
}

// The byte of the first bracket that is too deep, counted from 1.
std::optional<std::size_t> too_deep(std::string_view const text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (c == '"')
            in_string = !in_string;
        else if (in_string)
            i += c == '\\' ? 1 : 0;  // an escaped quote ends no string
        else if (c == '[' || c == '{')
            ++depth;
        else if ((c == ']' || c == '}') && depth > 0)
            --depth;
        if (depth > max_json_depth)
            return i + 1;
    }
    return std::nullopt;
}

}  // namespace

Json parse_json(std::string_view const text, std::string const& file, std::string const& advice) {
    auto const fail = [&](std::size_t const byte, std::string const& why) {
        throw Error(file + ":" + line_and_column(text, byte) + " does not parse", why, advice);
    };
    if (auto const byte = too_deep(text))
        fail(*byte, "more than " + std::to_string(max_json_depth) + " brackets inside each other");
    try {
        return Json::parse(text);
    } catch (Json::parse_error const& error) {
        fail(error.byte, parser_message(error.what()));
    } catch (Json::exception const& error) {  // a number out of range, which has no position
        throw Error(file + " does not parse", parser_message(error.what()), advice);
    }
    return {};
}

Json read_json(std::filesystem::path const& path, std::string const& advice, Input const kind) {
    return parse_json(read_input(path, kind), path.string(), advice);
}

}  // namespace lockstep::bench
