#pragma once
// Writes the text of a program line by line. Formats are those of {fmt}, so a brace of the text is typed twice; a block
// types its own.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace lockstep::jit {

class CodeWriter {
public:
    // Lines are indented by `depth` levels of four spaces.
    explicit CodeWriter(unsigned depth = 0) : depth_(depth) {}

    // One line. An empty one is not indented.
    template <class... Values>
    void line(fmt::format_string<Values...> format, Values&&... values) {
        add(fmt::format(format, std::forward<Values>(values)...));
    }
    void line() { add({}); }
    // Each line of the text, which need not end its last one.
    void lines(std::string_view text);
    // The text as it is: what another writer wrote at this depth.
    void append(std::string_view text) { text_ += text; }
    // At the left margin.
    void label(std::string_view name);

    // One level deeper until the scope ends, which may write a line.
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

    // "head {" now and "}" at the end of the scope.
    template <class... Values>
    Scope block(fmt::format_string<Values...> head, Values&&... values) {
        add(fmt::format(head, std::forward<Values>(values)...) + " {");
        return {*this, "}"};
    }
    Scope block() {
        add("{");
        return {*this, "}"};
    }
    // `end` is written at the end of the scope, unless it is empty.
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
