#include "harness/jit/parameters.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::jit {

namespace {

std::string trimmed(std::string const& text) {
    std::size_t const from = text.find_first_not_of(" \t\r\n");
    return from == text.npos ? "" : text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

template <class Read>
auto read_number(std::string const& text, bool& valid, Read const& read) {
    errno = 0;
    char* end = nullptr;
    auto const value = read(text.c_str(), &end);
    valid = !text.empty() && end == text.c_str() + text.size() && errno == 0;
    return value;
}

}  // namespace

std::vector<std::string> const& type_names() {
    static std::vector<std::string> const names = {"u32", "i32", "f32", "u64", "i64", "f64"};
    return names;
}
std::string_view to_string(Type type) { return type_names()[static_cast<std::size_t>(type)]; }

std::map<std::string, std::string> named_values(std::vector<std::string> const& texts, std::string const& option,
                                                std::string const& value) {
    std::map<std::string, std::string> all;
    for (std::string const& text : texts) {
        std::size_t const at = text.find('=');
        if (at == text.npos || at == 0 || at + 1 == text.size())
            throw bench::Error("invalid " + option + " " + text, "it must be NAME=" + value);
        if (!all.emplace(text.substr(0, at), text.substr(at + 1)).second)
            throw bench::Error("invalid " + option + " " + text, text.substr(0, at) + " is given twice");
    }
    return all;
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

std::vector<std::uint64_t> parameter_bits(std::vector<ParameterLine> const& parameters, std::string const& path,
                                          Settings const& settings) {
    std::vector<std::string> names;
    for (ParameterLine const& parameter : parameters)
        names.push_back(parameter.name);
    for (auto const& [name, value] : settings) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw bench::Error("unknown parameter " + name,
                               names.empty() ? path + " has none" : "known are " + bench::joined(names),
                               names.empty() ? "" : bench::suggestion(name, names));
    }
    std::vector<std::uint64_t> bits;
    for (ParameterLine const& parameter : parameters) {
        auto const set = settings.find(parameter.name);
        std::string const text = trimmed(set == settings.end() ? parameter.value : set->second);
        std::optional<std::uint64_t> const value = bits_of(parameter.type, text);
        if (!value && set == settings.end())
            throw bench::Error(
                "invalid " + path + " line " + std::to_string(parameter.line),
                "the value " + text + " of parameter " + parameter.name + " must be " + range_of(parameter.type));
        if (!value)
            throw bench::Error("invalid " + parameter.name + "=" + text, "it must be " + range_of(parameter.type));
        bits.push_back(*value);
    }
    return bits;
}

}  // namespace lockstep::jit
