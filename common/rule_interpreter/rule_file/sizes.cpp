// The numbers of a rule file: values of parameters, and sizes of columns.

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

std::string trimmed(std::string const& text) {
    std::size_t const from = text.find_first_not_of(" \t\r\n");
    return from == text.npos ? "" : text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

std::string range_of(Type type) {
    switch (type) {
        case Type::u32:
            return "an integer from 0 to 4294967295";
        case Type::i32:
            return "an integer from -2147483648 to 2147483647";
        case Type::u64:
            return "an integer from 0 to 18446744073709551615";
        case Type::i64:
            return "a 64-bit integer";
        default:
            return "a number";
    }
}

template <class Read>
auto read_number(std::string const& text, bool& valid, Read const& read) {
    errno = 0;
    char* end = nullptr;
    auto const value = read(text.c_str(), &end);
    valid = !text.empty() && end == text.c_str() + text.size() && errno == 0;
    return value;
}

// The bits of a number in this type, or nothing if the text is none.
std::optional<std::uint64_t> bits_of(Type type, std::string const& text) {
    bool valid = false;
    if (type == Type::f32 || type == Type::f64) {
        double const value = read_number(text, valid, [](char const* at, char** end) { return std::strtod(at, end); });
        if (!valid || !std::isfinite(value))
            return {};
        if (type == Type::f64)
            return std::bit_cast<std::uint64_t>(value);
        float const narrow = static_cast<float>(value);
        return std::isfinite(narrow) ? std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(narrow))
                                     : std::nullopt;
    }
    if (type == Type::u32 || type == Type::u64) {
        std::uint64_t const value =
            read_number(text, valid, [](char const* at, char** end) { return std::strtoull(at, end, 10); });
        bool const fits = type == Type::u64 || value <= std::numeric_limits<std::uint32_t>::max();
        return valid && text[0] != '-' && fits ? std::optional(value) : std::nullopt;
    }
    std::int64_t const value =
        read_number(text, valid, [](char const* at, char** end) { return std::strtoll(at, end, 10); });
    bool const fits = type == Type::i64 || (value >= std::numeric_limits<std::int32_t>::min() &&
                                            value <= std::numeric_limits<std::int32_t>::max());
    if (!valid || !fits)
        return {};
    return type == Type::i64 ? static_cast<std::uint64_t>(value) : static_cast<std::uint32_t>(value);
}

// The value of a size.
class Size {
public:
    Size(RuleFile const& file, ColumnLine const& column, std::vector<std::uint64_t> const& parameters)
        : file_(file), column_(column), text_(column.size), parameters_(parameters) {}

    std::uint64_t value() {
        std::int64_t const size = sum();
        if (at_ != text_.size())
            fail("unexpected " + text_.substr(at_, 1));
        if (size < 1 || static_cast<std::uint64_t>(size) > max_size)
            fail("it is " + std::to_string(size) + ", and must be from 1 to " + std::to_string(max_size));
        return static_cast<std::uint64_t>(size);
    }

private:
    [[noreturn]] void fail(std::string const& why) const {
        throw bench::Error("invalid " + file_.path + " line " + std::to_string(column_.line),
                           "the size " + text_ + " of column " + column_.name + ": " + why,
                           "A size is made of numbers and integer parameters with + - * / and parentheses.");
    }

    bool take(char c) {
        bool const is = at_ < text_.size() && text_[at_] == c;
        at_ += is ? 1 : 0;
        return is;
    }

    std::int64_t sum() {
        std::int64_t value = product();
        for (;;) {
            bool const adds = take('+');
            if (!adds && !take('-'))
                return value;
            std::int64_t const next = product();
            if (adds ? __builtin_add_overflow(value, next, &value) : __builtin_sub_overflow(value, next, &value))
                fail("it is too large");
        }
    }
    std::int64_t product() {
        std::int64_t value = factor();
        for (;;) {
            bool const multiplies = take('*');
            if (!multiplies && !take('/'))
                return value;
            std::int64_t const next = factor();
            if (!multiplies && next == 0)
                fail("it divides by 0");
            if (multiplies && __builtin_mul_overflow(value, next, &value))
                fail("it is too large");
            if (!multiplies)
                value = next == -1 ? negated(value) : value / next;
        }
    }
    std::int64_t negated(std::int64_t value) const {
        if (value == std::numeric_limits<std::int64_t>::min())
            fail("it is too large");
        return -value;
    }
    std::int64_t factor() {
        if (++depth_ > max_depth)
            fail("it has too many parentheses");
        std::int64_t value = 0;
        if (take('(')) {
            value = sum();
            if (!take(')'))
                fail("a parenthesis is not closed");
        } else {
            value = number_or_name();
        }
        --depth_;
        return value;
    }
    std::int64_t number_or_name() {
        std::size_t const from = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
            ++at_;
        std::string const word = text_.substr(from, at_ - from);
        if (word.empty())
            fail(at_ == text_.size() ? "it ends too soon" : "unexpected " + text_.substr(at_, 1));
        if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
            std::optional<std::uint64_t> const bits = bits_of(Type::i64, word);
            if (!bits)
                fail(word + " is not a number");
            return static_cast<std::int64_t>(*bits);
        }
        for (std::size_t i = 0; i < file_.parameters.size(); ++i) {
            if (file_.parameters[i].name == word)
                return value_of(i);
        }
        fail("no parameter " + word);
    }
    std::int64_t value_of(std::size_t parameter) const {
        std::uint64_t const bits = parameters_[parameter];
        switch (file_.parameters[parameter].type) {
            case Type::u32:
            case Type::i64:
                return static_cast<std::int64_t>(bits);
            case Type::i32:
                return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
            case Type::u64:
                if (bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                    fail("it is too large");
                return static_cast<std::int64_t>(bits);
            default:
                fail("parameter " + file_.parameters[parameter].name + " is not an integer");
        }
    }

    static constexpr unsigned max_depth = 100;

    RuleFile const& file_;
    ColumnLine const& column_;
    std::string const& text_;
    std::vector<std::uint64_t> const& parameters_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
};

}  // namespace

std::vector<std::uint64_t> parameter_bits(RuleFile const& file, Settings const& settings) {
    std::vector<std::string> names;
    for (ParameterLine const& parameter : file.parameters)
        names.push_back(parameter.name);
    for (auto const& [name, value] : settings) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw bench::Error("unknown parameter " + name,
                               names.empty() ? file.path + " has none" : "known are " + bench::joined(names),
                               names.empty() ? "" : bench::suggestion(name, names));
    }
    std::vector<std::uint64_t> bits;
    for (ParameterLine const& parameter : file.parameters) {
        auto const set = settings.find(parameter.name);
        std::string const text = trimmed(set == settings.end() ? parameter.value : set->second);
        std::optional<std::uint64_t> const value = bits_of(parameter.type, text);
        if (!value && set == settings.end())
            throw bench::Error(
                "invalid " + file.path + " line " + std::to_string(parameter.line),
                "the value " + text + " of parameter " + parameter.name + " must be " + range_of(parameter.type));
        if (!value)
            throw bench::Error("invalid " + parameter.name + "=" + text, "it must be " + range_of(parameter.type));
        bits.push_back(*value);
    }
    return bits;
}

std::vector<std::uint64_t> column_sizes(RuleFile const& file, std::vector<std::uint64_t> const& parameters) {
    std::vector<std::uint64_t> sizes;
    for (ColumnLine const& column : file.columns)
        sizes.push_back(column.size.empty() ? 0 : Size(file, column, parameters).value());
    return sizes;
}

}  // namespace lockstep::rule_interpreter::rule_file
