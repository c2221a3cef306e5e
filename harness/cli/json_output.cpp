#include "harness/cli/json_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "harness/bench/nearest.hpp"
#include "harness/bench/utf8.hpp"

namespace lockstep::cli {

namespace {

bool is_awaited = false;

std::string escaped(char32_t const value) {
    if (value < 0x10000)
        return fmt::format("\\u{:04x}", static_cast<unsigned>(value));
    unsigned const rest = static_cast<unsigned>(value) - 0x10000;
    return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
}

}  // namespace

std::string json_text(std::string_view const text) {
    std::string result = "\"";
    for (std::size_t at = 0; at < text.size();) {
        bench::CodePoint const point = bench::code_point_at(text, at);
        at += point.bytes;
        if (!point.is_valid) {
            result += "\\ufffd";
        } else if (point.value == '"' || point.value == '\\') {
            result += '\\';
            result += static_cast<char>(point.value);
        } else if (point.value == '\n') {
            result += "\\n";
        } else if (point.value < 0x20 || point.value > 0x7e) {
            result += escaped(point.value);
        } else {
            result += static_cast<char>(point.value);
        }
    }
    return result + "\"";
}

std::string json_number(double const value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string json_list(std::vector<std::string> const& values) { return "[" + bench::joined(values) + "]"; }

std::string json_texts(std::vector<std::string> const& texts) {
    std::vector<std::string> values;
    for (std::string const& text : texts)
        values.push_back(json_text(text));
    return json_list(values);
}

std::string json_object(std::vector<JsonMember> const& members) {
    std::vector<std::string> parts;
    for (auto const& [name, value] : members)
        parts.push_back(json_text(name) + ": " + value);
    return "{" + bench::joined(parts) + "}";
}

std::string json_lines(std::vector<std::string> const& values) {
    return values.empty() ? "[]" : "[\n" + bench::joined(values, ",\n") + "\n]";
}

std::string json_document(std::vector<JsonMember> const& members) {
    std::vector<std::string> parts;
    for (auto const& [name, value] : members)
        parts.push_back(json_text(name) + ": " + value);
    return "{\n" + bench::joined(parts, ",\n") + "\n}\n";
}

void print_json(std::string const& document) {
    is_awaited = false;
    std::fflush(stdout);
    std::cout << document;
}

void begin_json(int const argc, char const* const* const argv) {
    is_awaited = std::any_of(argv, argv + argc, [](std::string_view const word) { return word == "--json"; });
}

void print_json_error(std::string_view const message) {
    if (is_awaited)
        print_json(json_error(message));
}

std::string json_error(std::string_view const message) {
    return is_awaited ? json_object({{"error", json_text(message)}}) + "\n" : "";
}

}  // namespace lockstep::cli
