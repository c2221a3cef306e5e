#pragma once
// The parameters of a user's file that is compiled at run time: declared with a type and a default in the file, set on
// the command line.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::jit {

enum class Type : unsigned { u32, i32, f32, u64, i64, f64 };

std::vector<std::string> const& type_names();
std::string_view to_string(Type type);
constexpr unsigned bytes_of(Type type) { return type == Type::u32 || type == Type::i32 || type == Type::f32 ? 4 : 8; }

struct ParameterLine {
    std::string name;
    Type type = Type::u32;
    std::string value;  // the default
    std::size_t line = 0;
};

// The user's values of parameters, by name.
using Settings = std::map<std::string, std::string>;

// Reads the texts NAME=VALUE of an option that may be repeated. Throws bench::Error for a text of another form, in
// which `value` names what follows the equals sign, and for a name that occurs twice.
std::map<std::string, std::string> named_values(std::vector<std::string> const& texts, std::string const& option,
                                                std::string const& value);

// The bits of a number in this type, or nothing if the text is none.
std::optional<std::uint64_t> bits_of(Type type, std::string const& text);
// What a value of this type must be, for messages.
std::string range_of(Type type);

// Returns the bits of each parameter: the user's value or the default. Throws bench::Error for an unknown name or an
// invalid number.
std::vector<std::uint64_t> parameter_bits(std::vector<ParameterLine> const& parameters, std::string const& path,
                                          Settings const& settings);

}  // namespace lockstep::jit
