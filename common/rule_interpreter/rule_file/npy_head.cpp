// The head of an .npy file: the magic bytes, two bytes of version, the length of the description, and the description,
// a Python dictionary with exactly the keys descr, fortran_order and shape.

#include <cctype>
#include <limits>
#include <set>

#include "common/rule_interpreter/rule_file/array_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/npy.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr struct {
    char const* name;
    Type type;
} descriptions[] = {{"<u4", Type::u32}, {"<i4", Type::i32}, {"<f4", Type::f32},
                    {"<u8", Type::u64}, {"<i8", Type::i64}, {"<f8", Type::f64}};

constexpr char const* save_it = "Save it with numpy.save.";

[[noreturn]] void refuse(std::string const& path, std::string const& why, char const* suggestion = save_it) {
    throw bench::Error("cannot read " + path, why, suggestion);
}

class Description {
public:
    Description(std::string_view text, std::string const& path) : text_(text), path_(path) {}

    ArrayShape shape() {
        expect('{');
        std::set<std::string> keys;
        while (!take('}')) {
            std::string const key = quoted();
            if (!keys.insert(key).second)
                fail("the key " + key + " is there twice");
            expect(':');
            value_of(key);
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        if (keys.size() != 3)
            fail("a key is missing");
        if (space(), at_ != text_.size())
            fail("text follows the dictionary");
        return shape_;
    }

private:
    [[noreturn]] void fail(std::string const& why, char const* suggestion = save_it) const {
        refuse(path_, "in the header of the .npy file, " + why, suggestion);
    }

    void space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
            ++at_;
    }
    bool take(char c) {
        space();
        bool const is = at_ < text_.size() && text_[at_] == c;
        at_ += is ? 1 : 0;
        return is;
    }
    void expect(char c) {
        if (!take(c))
            fail(std::string("there is no ") + c + " at byte " + std::to_string(at_));
    }
    std::string quoted() {
        char const quote = take('"') ? '"' : '\'';
        if (quote == '\'')
            expect('\'');
        std::size_t const end = text_.find(quote, at_);
        if (end == text_.npos)
            fail("a quoted text is not closed");
        std::string const text(text_.substr(at_, end - at_));
        at_ = end + 1;
        return text;
    }
    void value_of(std::string const& key) {
        if (key == "descr")
            type();
        else if (key == "fortran_order")
            order();
        else if (key == "shape")
            tuple();
        else
            fail("the key " + key + " is unknown");
    }
    void type() {
        std::string const name = quoted();
        for (auto const& each : descriptions) {
            if (name == each.name) {
                shape_.type = each.type;
                return;
            }
        }
        fail("the type " + name + " is not one of <u4, <i4, <f4, <u8, <i8, <f8",
             "Save array.astype(TYPE), such as array.astype('<f8').");
    }
    void order() {
        space();
        if (text_.substr(at_, 4) == "True")
            fail("the array is in Fortran order", "Save numpy.ascontiguousarray(array).");
        if (text_.substr(at_, 5) != "False")
            fail("fortran_order is neither True nor False");
        at_ += 5;
    }
    void tuple() {
        expect('(');
        std::size_t count = 0;
        while (!take(')')) {
            std::uint64_t const length = number();
            if (++count > 2)
                fail("the array has more than two dimensions", "Save array.reshape(len(array), -1).");
            (count == 1 ? shape_.states : shape_.size) = length;
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        if (count == 0)
            fail("the array has no dimension");
    }
    std::uint64_t number() {
        space();
        std::uint64_t value = 0;
        std::size_t const from = at_;
        for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_) {
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, static_cast<std::uint64_t>(text_[at_] - '0'), &value))
                fail("a length is too large");
        }
        if (at_ == from)
            fail("a length is not a number");
        return value;
    }

    std::string_view text_;
    std::string const& path_;
    std::size_t at_ = 0;
    ArrayShape shape_;
};

}  // namespace

NpyHead parse_npy_head(std::string_view head, std::string const& path) {
    if (!head.starts_with(magic))
        refuse(path, "it is not an .npy file");
    auto const byte = [&](std::size_t i) {
        if (i >= head.size())
            refuse(path, "its header is cut short");
        return static_cast<std::uint64_t>(static_cast<unsigned char>(head[i]));
    };
    std::uint64_t const version = byte(6);
    if (version < 1 || version > 3 || byte(7) != 0)
        refuse(path, "its version is not 1.0, 2.0 or 3.0");
    std::uint64_t length = byte(8) | byte(9) << 8;
    std::uint64_t begin = 10;
    if (version > 1) {
        length |= byte(10) << 16 | byte(11) << 24;
        begin = 12;
    }
    if (length > max_npy_head - begin)
        refuse(path, "its header is too long");
    if (head.size() < begin + length)
        refuse(path, "its header is cut short");
    NpyHead read;
    read.shape = Description(head.substr(begin, length), path).shape();
    read.bytes = begin + length;
    return read;
}

std::string npy_head(ArrayShape const& shape) {
    std::string name;
    for (auto const& each : descriptions)
        name += each.type == shape.type ? each.name : "";
    return bench::npy_head(name, {shape.states, shape.size});
}

bool is_npy(std::string const& path) { return path.ends_with(".npy"); }

}  // namespace lockstep::rule_interpreter::rule_file
