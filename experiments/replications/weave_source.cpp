#include "experiments/replications/weave_source.hpp"

#include <algorithm>
#include <utility>

#include "experiments/replications/weave_tokens.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::replications {

namespace {

// The inside of a string literal. Whatever the file's name is, the literal neither ends early nor contains a
// trigraph, and its bytes mean the same to every compiler.
std::string escaped(std::string const& text) {
    constexpr std::string_view octal = "01234567";
    std::string result;
    for (char const c : text) {
        unsigned const code = static_cast<unsigned char>(c);
        if (code < ' ' || code > '~') {
            result += {'\\', octal[code >> 6], octal[code >> 3 & 7], octal[code & 7]};
            continue;
        }
        if (c == '\\' || c == '"' || c == '?')
            result += '\\';
        result += c;
    }
    return result;
}

bool continues(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line.ends_with('\\');
}

// Where the comment begins that goes on after the line, or npos. Marks of comments in a literal or in a comment are
// none; a quote that is not closed is an apostrophe, as in the text of #error.
std::size_t open_comment(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
        std::string_view const two = line.substr(at, 2);
        if (two == "//")
            break;
        if (two == "/*") {
            std::size_t const end = line.find("*/", at + 2);
            if (end == line.npos)
                return at;
            at = end + 2;
            continue;
        }
        bool const quote = line[at] == '"' || line[at] == '\'';
        std::size_t const end = quote ? past_literal(line, at) : line.npos;
        std::string_view const word = word_at(line, at);
        at = end != line.npos ? std::min(end, line.size()) : at + std::max<std::size_t>(word.size(), 1);
    }
    return line.npos;
}

}  // namespace

SourceCopier::SourceCopier(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    out_ = "#line 1 \"" + escaped(file_) + "\"\n";
}

void SourceCopier::fail(unsigned line, std::string const& problem, std::string const& why,
                        std::string const& suggestion) const {
    throw bench::Error(file_ + ":" + std::to_string(line) + ": " + problem, why, suggestion);
}

bool SourceCopier::begins_line() const {
    std::size_t at = at_;
    while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t'))
        --at;
    return at == 0 || text_[at - 1] == '\n';
}

std::size_t SourceCopier::end_of_logical_line() const {
    std::size_t end = std::min(text_.find('\n', at_), text_.size());
    while (end < text_.size() && continues(text_.substr(at_, end - at_)))
        end = std::min(text_.find('\n', end + 1), text_.size());
    return end;
}

void SourceCopier::copy(std::size_t count) {
    for (char const c : text_.substr(at_, count)) {
        out_ += c;
        if (c == '\n')
            ++line_;
    }
    at_ += std::min(count, text_.size() - at_);
}

void SourceCopier::copy_past(std::string_view what, std::size_t from) {
    std::size_t const found = text_.find(what, at_ + from);
    copy(found == std::string_view::npos ? text_.size() - at_ : found + what.size() - at_);
}

void SourceCopier::copy_literal() {
    std::size_t const end = past_literal(text_, at_);
    copy((end == std::string_view::npos ? end_of_logical_line() : end) - at_);
}

bool SourceCopier::opens_raw_string(std::string_view prefix) const { return is_raw_prefix(prefix) && follows("\""); }

void SourceCopier::copy_raw_string() {
    // At most 16 characters are between the quote and the parenthesis. To look further would take quadratic time for a
    // text of many quotes.
    std::size_t const delimiter = text_.substr(at_ + 1, 17).find('(');
    if (delimiter == std::string_view::npos)
        return;
    std::size_t const parenthesis = at_ + 1 + delimiter;
    std::string const closing = ")" + std::string(text_.substr(at_ + 1, parenthesis - at_ - 1)) + "\"";
    copy_past(closing, parenthesis - at_);
}

void SourceCopier::copy_directive(std::string_view line) {
    std::size_t const comment = open_comment(line);
    if (comment != line.npos)
        return copy_past("*/", comment + 2);
    copy(line.size());
}

}  // namespace lockstep::replications
