#include "harness/bench/text_pattern.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "harness/bench/utf8.hpp"

namespace lockstep::bench {

namespace {

class TextPatternParser {
public:
    using Part = TextPattern::Part;
    using Set = TextPattern::Set;

    explicit TextPatternParser(std::string_view const text) : text_(text) {}

    std::vector<Part> parse() {
        require('^');
        std::vector<Part> parts = sequence();
        require('$');
        if (at_ != text_.size())
            fail("something follows $");
        return parts;
    }

private:
    [[noreturn]] void fail(std::string const& why) const {
        throw std::logic_error("pattern " + std::string(text_) + ", byte " + std::to_string(at_) + ": " + why);
    }
    bool next_is(std::string_view const what) const { return text_.substr(at_, what.size()) == what; }
    bool take(std::string_view const what) {
        bool const found = next_is(what);
        at_ += found ? what.size() : 0;
        return found;
    }
    void require(char const c) {
        if (!take(std::string_view(&c, 1)))
            fail(std::string("no ") + c);
    }
    char32_t next() {
        if (at_ == text_.size())
            fail("it ends too early");
        CodePoint const point = code_point_at(text_, at_);
        at_ += point.bytes;
        return point.value;
    }

    std::vector<Part> sequence() {
        std::vector<Part> parts;
        while (at_ < text_.size() && !next_is("$") && !next_is(")")) {
            parts.push_back(part());
            repeat(parts.back());
        }
        return parts;
    }

    Part part() {
        Part made;
        if (take("(?:")) {
            made.group = sequence();
            require(')');
            if (made.group.empty() || made.group.front().minimum == 0)
                fail("a group begins with a part that may be absent, so its first character does not decide");
            made.set = made.group.front().set;
        } else if (take("[")) {
            made.set = set();
        } else {
            char32_t const c = character(R"(^.|*+?(){}[])");
            made.set.ranges = {{c, c}};
        }
        made.set.fill_ascii();
        return made;
    }

    Set set() {
        Set made;
        made.is_negated = take("^");
        while (!take("]")) {
            char32_t const first = character("[");
            bool const is_range = next_is("-") && !next_is("-]") && take("-");
            made.ranges.emplace_back(first, is_range ? character("[]") : first);
        }
        return made;
    }

    // A character, which stands for itself unless it is one of `special`.
    char32_t character(std::string_view const special) {
        char32_t const c = next();
        if (c < 0x80 && special.find(static_cast<char>(c)) != std::string_view::npos)
            fail("this character is not supported here");
        return c == U'\\' ? escaped() : c;
    }

    char32_t escaped() {
        char32_t const c = next();
        if (c == U'u')
            return hexadecimal(4);
        constexpr std::u32string_view names = U"tnr", characters = U"\t\n\r";
        if (std::size_t const at = names.find(c); at != names.npos)
            return characters[at];
        if ((c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9'))
            fail("this escape is not supported");
        return c;
    }

    char32_t hexadecimal(std::size_t const digits) {
        std::string const number(text_.substr(at_, digits));
        at_ += digits;
        return static_cast<char32_t>(std::stoul(number, nullptr, 16));
    }

    void repeat(Part& part) {
        if (next_is("*") || next_is("+"))
            part.maximum = std::numeric_limits<std::size_t>::max();
        if (take("*"))
            part.minimum = 0;
        else if (take("+"))
            part.minimum = 1;
        else if (take("?"))
            part.minimum = 0;
        else if (take("{"))
            count(part);
    }

    // {m} or {m,n}
    void count(Part& part) {
        part.minimum = number();
        part.maximum = take(",") ? number() : part.minimum;
        require('}');
    }

    std::size_t number() {
        std::size_t value = 0;
        if (at_ == text_.size() || text_[at_] < '0' || text_[at_] > '9')
            fail("no number");
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
            value = 10 * value + static_cast<std::size_t>(text_[at_] - '0');
        return value;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// Consumes what matches the parts. Returns false if a part has too few repetitions.
bool consume(std::vector<TextPattern::Part> const& parts, std::string_view const text, std::size_t& at) {
    for (TextPattern::Part const& part : parts) {
        std::size_t count = 0;
        for (; count < part.maximum && at < text.size(); ++count) {
            auto const byte = static_cast<unsigned char>(text[at]);
            CodePoint const next = byte < 0x80 ? CodePoint{byte, 1, true} : code_point_at(text, at);
            if (byte < 0x80 ? !part.set.ascii[byte] : !part.set.has(next.value))
                break;
            if (part.group.empty())
                at += next.bytes;
            else if (!consume(part.group, text, at))
                return false;
        }
        if (count < part.minimum)
            return false;
    }
    return true;
}

}  // namespace

bool TextPattern::Set::has(char32_t const c) const {
    bool const found = std::any_of(ranges.begin(), ranges.end(),
                                   [c](auto const& range) { return range.first <= c && c <= range.second; });
    return found != is_negated;
}

void TextPattern::Set::fill_ascii() {
    for (char32_t c = 0; c < ascii.size(); ++c)
        ascii[c] = has(c);
}

TextPattern::TextPattern(std::string_view const pattern) : parts_(TextPatternParser(pattern).parse()) {}

bool TextPattern::matches(std::string_view const text) const {
    std::size_t at = 0;
    return consume(parts_, text, at) && at == text.size();
}

}  // namespace lockstep::bench
