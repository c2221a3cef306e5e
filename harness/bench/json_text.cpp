#include "harness/bench/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

namespace {

// "line:column", for example "3:5", of a byte. Like the parser, counts bytes from 1.
std::string line_and_column(std::string_view const text, std::size_t const byte) {
    std::size_t const end = std::min(byte == 0 ? 0 : byte - 1, text.size());
    std::string_view const before = text.substr(0, end);
    auto const line = 1 + std::count(before.begin(), before.end(), '\n');
    std::size_t const start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return std::to_string(line) + ":" + std::to_string(end - start + 1);
}

// The parser's message without its number and position, which the caller reports. It quotes the text, so it can be
// long and have any bytes.
std::string parser_message(std::string message) {
    for (char const* const mark : {"syntax error while parsing ", "parse error", "number overflow"}) {
        std::size_t const at = message.find(mark);
        if (at != std::string::npos) {
            message = message.substr(at);
            break;
        }
    }
    constexpr std::size_t max_shown = 200;
    if (message.size() > max_shown)
        message = message.substr(0, max_shown / 2) + "..." + message.substr(message.size() - max_shown / 2);
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::replace_if(
        message.begin(), message.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return message;
}

// The byte of the first bracket that is too deep, counted from 1.
std::optional<std::size_t> too_deep(std::string_view const text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (c == '"')
            in_string = !in_string;
        else if (in_string)
            i += c == '\\' ? 1 : 0;  // an escaped quote ends no string
        else if (c == '[' || c == '{')
            ++depth;
        else if ((c == ']' || c == '}') && depth > 0)
            --depth;
        if (depth > max_json_depth)
            return i + 1;
    }
    return std::nullopt;
}

// Builds a document. The library's own builder looks for each key among all former keys of its object, which takes an
// hour for the keys that fit into a file of the largest size. Of two equal keys, the last one counts.
class DocumentBuilder {
public:
    Json take() { return std::move(document_); }
    std::size_t error_byte() const { return error_byte_; }  // 0 for a number out of range
    std::string const& error() const { return error_; }

    // The interface of Json::sax_parse(). Each function returns true to go on.
    bool null() { return add(nullptr); }
    bool boolean(bool const value) { return add(value); }
    bool number_integer(std::int64_t const value) { return add(value); }
    bool number_unsigned(std::uint64_t const value) { return add(value); }
    bool number_float(double const value, std::string const&) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(Json::binary_t&) { return false; }  // not in texts
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        Level& level = levels_.back();
        Json::object_t& object = level.value->get_ref<Json::object_t&>();
        level.place = level.find(object, name);
        if (level.place == object.size()) {
            if (object.size() >= Level::max_searched)
                level.places.emplace(name, object.size());
            static_cast<std::vector<Json::object_t::value_type>&>(object).emplace_back(std::move(name), nullptr);
        }
        return true;
    }

    bool parse_error(std::size_t const byte, std::string const&, nlohmann::detail::exception const& error) {
        error_byte_ = error.id < 200 ? byte : 0;  // the library numbers syntax errors from 101
        error_ = parser_message(error.what());
        return false;
    }

private:
    // An object or an array that is not closed yet. Its address is fixed, because the one around it does not grow.
    struct Level {
        static constexpr std::size_t max_searched = 16;  // keys; those that follow are in the index
        Json* value = nullptr;
        std::size_t place = 0;  // of the last key
        std::unordered_map<std::string, std::size_t> places{};

        std::size_t find(Json::object_t const& object, std::string const& name) const {
            for (std::size_t i = 0; i < std::min(object.size(), max_searched); ++i) {
                if (object.begin()[static_cast<std::ptrdiff_t>(i)].first == name)
                    return i;
            }
            auto const found = places.find(name);
            return found == places.end() ? object.size() : found->second;
        }
    };

    // Where the next value belongs.
    template <class Value>
    Json& put(Value&& value) {
        if (levels_.empty())
            return document_ = std::forward<Value>(value);
        Level& level = levels_.back();
        if (level.value->is_array())
            return level.value->get_ref<Json::array_t&>().emplace_back(std::forward<Value>(value));
        auto& object = static_cast<std::vector<Json::object_t::value_type>&>(level.value->get_ref<Json::object_t&>());
        return object[level.place].second = std::forward<Value>(value);
    }
    template <class Value>
    bool add(Value&& value) {
        put(std::forward<Value>(value));
        return true;
    }
    bool open(Json value) {
        Level level;
        level.value = &put(std::move(value));
        levels_.push_back(std::move(level));
        return true;
    }
    bool close() {
        levels_.pop_back();
        return true;
    }

    Json document_;
    std::vector<Level> levels_;
    std::size_t error_byte_ = 0;
    std::string error_;
};

}  // namespace

Json parse_json(std::string_view const text, std::string const& file, std::string const& advice) {
    auto const fail = [&](std::size_t const byte, std::string const& why) {
        throw Error(file + ":" + line_and_column(text, byte) + " does not parse", why, advice);
    };
    if (auto const byte = too_deep(text))
        fail(*byte, "more than " + std::to_string(max_json_depth) + " brackets inside each other");
    DocumentBuilder builder;
    if (Json::sax_parse(text, &builder))
        return builder.take();
    if (builder.error_byte() != 0)
        fail(builder.error_byte(), builder.error());
    throw Error(file + " does not parse", builder.error(), advice);
}

Json read_json(std::filesystem::path const& path, std::string const& advice, Input const kind) {
    return parse_json(read_input(path, kind), path.string(), advice);
}

}  // namespace lockstep::bench
