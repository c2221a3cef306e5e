#include "harness/jit/code_writer.hpp"

#include <algorithm>

namespace lockstep::jit {

std::string comment_text(std::string_view text) {
    constexpr std::size_t max_bytes = 90;
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_(),-> ";
    bool const is_long = text.size() > max_bytes;
    std::string comment(is_long ? text.substr(0, max_bytes - 3) : text);
    for (char& c : comment)
        c = allowed.find(c) == allowed.npos ? '.' : c;
    return is_long ? comment + "..." : comment;
}

void CodeWriter::add(std::string_view line) {
    if (!line.empty())
        text_.append(std::size_t{4} * depth_, ' ');
    text_ += line;
    text_ += '\n';
}

void CodeWriter::lines(std::string_view text) {
    while (!text.empty()) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        add(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void CodeWriter::label(std::string_view name) {
    text_ += name;
    text_ += ":\n";
}

CodeWriter::Scope::~Scope() {
    --writer_.depth_;
    if (!end_.empty())
        writer_.add(end_);
}

}  // namespace lockstep::jit
