#pragma once
// The JSON document that a command with --json prints. Values are given as JSON texts, because a command has few.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::cli {

// A JSON string. Characters outside of ASCII are escaped, and bytes that are not UTF-8 appear as U+FFFD, so that the
// document is valid and printable whatever the text is.
std::string json_text(std::string_view text);

// As many digits as the number needs, or null for an infinite or undefined number.
std::string json_number(double value);

inline std::string json_flag(bool value) { return value ? "true" : "false"; }

// [a, b] on one line, of values and of texts.
std::string json_list(std::vector<std::string> const& values);
std::string json_texts(std::vector<std::string> const& texts);

using JsonMember = std::pair<std::string, std::string>;  // a name and a JSON text

// {"a": 1, "b": 2} on one line.
std::string json_object(std::vector<JsonMember> const& members);

// The same with a member per line, as a whole document.
std::string json_document(std::vector<JsonMember> const& members);

// [a, b] with an element per line, for json_document().
std::string json_lines(std::vector<std::string> const& values);

// Prints a document to standard output. A command prints one.
void print_json(std::string const& document);

// Prints {"error": "..."} if the command line has --json and no document was printed since begin_json().
void begin_json(int argc, char const* const* argv);
void print_json_error(std::string_view message);

// That document, or an empty text in the other case.
std::string json_error(std::string_view message);

}  // namespace lockstep::cli
