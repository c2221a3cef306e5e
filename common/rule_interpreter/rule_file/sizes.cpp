// The sizes of the columns of a rule file.

#include <cctype>
#include <limits>

#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

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
            std::optional<std::uint64_t> const bits = jit::bits_of(Type::i64, word);
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
    return jit::parameter_bits(file.parameters, file.path, settings);
}

std::vector<std::uint64_t> column_sizes(RuleFile const& file, std::vector<std::uint64_t> const& parameters) {
    std::vector<std::uint64_t> sizes;
    for (ColumnLine const& column : file.columns)
        sizes.push_back(column.size.empty() ? 0 : Size(file, column, parameters).value());
    return sizes;
}

}  // namespace lockstep::rule_interpreter::rule_file
