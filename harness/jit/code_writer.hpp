#pragma once
// Writes the text of a program line by line. Formats are those of {fmt}, so a literal brace is doubled; a block
// writes its own braces.
//
// A user's text never becomes code: generators name what they write by numbers. It may stand in a comment, which
// comment_text() makes harmless.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace lockstep::jit {

// Returns the text for a comment to the end of a line, for people: letters, digits and the characters _ ( ) , - > and
// space. Any other byte becomes a dot, so the comment can neither end early nor continue in the next line (backslash,
// trigraph), and its bytes mean the same to every compiler. A long text is shortened.
std::string comment_text(std::string_view text);

class CodeWriter {
public:
    // Lines are indented by `depth` levels of four spaces.
    explicit CodeWriter(unsigned depth = 0) : depth_(depth) {}

    // Writes one line. An empty line is not indented.
    template <class... Values>
    void line(fmt::format_string<Values...> format, Values&&... values) {
        add(fmt::format(format, std::forward<Values>(values)...));
    }
    void line() { add({}); }
    // Writes each line of the text. The last line may lack a line end.
    void lines(std::string_view text);
    // Appends the text unchanged, such as the text of another writer with this depth.
    void append(std::string_view text) { text_ += text; }
    // Writes a label at the left margin.
    void label(std::string_view name);

    // Indents by one more level. The end of the scope may write a line.
    class [[nodiscard]] Scope {
    public:
        Scope(CodeWriter& writer, std::string end) : writer_(writer), end_(std::move(end)) { ++writer_.depth_; }
        Scope(Scope const&) = delete;
        Scope& operator=(Scope const&) = delete;
        ~Scope();

    private:
        CodeWriter& writer_;
        std::string end_;
    };

    // Writes "head {" now and "}" at the end of the scope.
    template <class... Values>
    Scope block(fmt::format_string<Values...> head, Values&&... values) {
        add(fmt::format(head, std::forward<Values>(values)...) + " {");
        return {*this, "}"};
    }
    Scope block() {
        add("{");
        return {*this, "}"};
    }
    // Writes `end` at the end of the scope, unless it is empty.
    Scope indented(std::string end = {}) { return {*this, std::move(end)}; }

    unsigned depth() const { return depth_; }
    std::string const& text() const { return text_; }
    std::string take() { return std::exchange(text_, {}); }

private:
    void add(std::string_view line);

    std::string text_;
    unsigned depth_;
};

}  // namespace lockstep::jit
