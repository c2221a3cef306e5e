#include "harness/bench/json_schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "harness/bench/nearest.hpp"
#include "harness/bench/text_pattern.hpp"
#include "harness/bench/utf8.hpp"

namespace lockstep::bench {

// What a schema asks of a value. Each keyword asks something of values of one type and accepts all others.
struct JsonSchema::Node {
    std::vector<std::string> types;  // empty for any
    std::vector<Json> allowed;       // empty for any
    std::optional<std::string> description;

    bool has_range = false;
    long double minimum = -std::numeric_limits<long double>::infinity();
    long double above = -std::numeric_limits<long double>::infinity();
    long double maximum = std::numeric_limits<long double>::infinity();

    bool has_text = false;
    std::size_t max_length = 65536;
    std::optional<TextPattern> pattern;

    std::size_t min_items = 0;
    std::size_t max_items = std::numeric_limits<std::size_t>::max();
    std::vector<Node const*> first_items;
    Node const* items = nullptr;

    std::vector<std::string> required;
    std::size_t max_properties = std::numeric_limits<std::size_t>::max();
    std::unordered_map<std::string, Node const*> properties;
    Node const* names = nullptr;
    Node const* others = nullptr;
};

namespace {

// Exact for 64-bit integers, where a double is not.
long double number_of(Json const& value) {
    if (value.is_number_unsigned())
        return static_cast<long double>(value.get<std::uint64_t>());
    if (value.is_number_integer())
        return static_cast<long double>(value.get<std::int64_t>());
    return static_cast<long double>(value.get<double>());
}

bool is_whole(Json const& value) {
    return value.is_number_integer() ||
           (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
}

bool has_type(Json const& value, std::string const& type) {
    if (type == "object")
        return value.is_object();
    if (type == "array")
        return value.is_array();
    if (type == "string")
        return value.is_string();
    if (type == "boolean")
        return value.is_boolean();
    if (type == "number")
        return value.is_number();
    if (type == "integer")  // JSON does not tell 2.0 from 2
        return value.is_number() && is_whole(value);
    return value.is_null();
}

// Fills a Misfit from the inside to the outside, and returns false.
class SchemaChecker {
public:
    bool fits(JsonSchema::Node const& node, Json const& value) {
        return has_type_of(node, value) && is_listed(node, value) && is_in_range(node, value) && is_text(node, value) &&
               fits_array(node, value) && fits_object(node, value);
    }

    Misfit misfit() const {
        std::string place;
        for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
            place += *step;
        return {place.starts_with('.') ? place.substr(1) : place, why_};
    }

private:
    bool fail(std::string why) {
        why_ = std::move(why);
        return false;
    }
    bool fail(JsonSchema::Node const& node, std::string const& otherwise) {
        return fail(node.description ? "is not " + *node.description : otherwise);
    }
    bool inside(std::string step) {
        steps_.push_back(std::move(step));
        return false;
    }

    bool has_type_of(JsonSchema::Node const& node, Json const& value) {
        bool const good = std::any_of(node.types.begin(), node.types.end(),
                                      [&](std::string const& type) { return has_type(value, type); });
        return node.types.empty() || good || fail(node, "is not of type " + joined(node.types, " or "));
    }

    bool is_listed(JsonSchema::Node const& node, Json const& value) {
        if (node.allowed.empty() || std::find(node.allowed.begin(), node.allowed.end(), value) != node.allowed.end())
            return true;
        std::vector<std::string> shown;
        for (Json const& one : node.allowed)
            shown.push_back(one.dump());
        return fail(node, "is not one of " + joined(shown));
    }

    bool is_in_range(JsonSchema::Node const& node, Json const& value) {
        if (!node.has_range || !value.is_number())
            return true;
        long double const number = number_of(value);
        if (number >= node.minimum && number <= node.maximum && number > node.above)
            return true;
        char text[80];
        std::snprintf(text, sizeof text, "is not a number from %Lg to %Lg", node.minimum, node.maximum);
        return fail(node, text);
    }

    bool is_text(JsonSchema::Node const& node, Json const& value) {
        if (!node.has_text || !value.is_string())
            return true;
        std::string const& text = value.get_ref<std::string const&>();
        bool const good = (text.size() <= node.max_length || length_of(text) <= node.max_length) &&
                          (!node.pattern || node.pattern->matches(text));
        return good || fail(node, "is not a text that fits");
    }

    bool fits_array(JsonSchema::Node const& node, Json const& value) {
        if (!value.is_array())
            return true;
        if (value.size() < node.min_items || value.size() > node.max_items)
            return fail("has " + std::to_string(value.size()) + " entries");
        for (std::size_t i = 0; i < value.size(); ++i) {
            JsonSchema::Node const* const one = i < node.first_items.size() ? node.first_items[i] : node.items;
            if (one != nullptr && !fits(*one, value[i]))
                return inside("[" + std::to_string(i) + "]");
        }
        return true;
    }

    bool fits_object(JsonSchema::Node const& node, Json const& value) {
        if (!value.is_object())
            return true;
        for (std::string const& key : node.required) {
            if (!value.contains(key))
                return fail("is missing") || inside("." + key);
        }
        if (value.size() > node.max_properties)
            return fail("has " + std::to_string(value.size()) + " entries");
        for (auto const& [key, entry] : value.items()) {
            auto const known = node.properties.find(key);
            JsonSchema::Node const* const one = known != node.properties.end() ? known->second : node.others;
            if ((node.names != nullptr && !fits(*node.names, key)) || (one != nullptr && !fits(*one, entry)))
                return inside("." + key);
        }
        return true;
    }

    std::vector<std::string> steps_;
    std::string why_;
};

}  // namespace

std::string Misfit::text() const {
    constexpr std::size_t max_place = 200;
    std::string shown = place.empty() ? "the document" : std::string(first_of(place, max_place));
    return shown + (shown.size() < place.size() ? "...: " : ": ") + why;
}

JsonSchema::JsonSchema(Json const& schema) : definitions_(schema.at("$defs")), root_(add(schema)) {}
JsonSchema::~JsonSchema() = default;

std::optional<Misfit> JsonSchema::check(Json const& document) const {
    SchemaChecker checker;
    if (checker.fits(*root_, document))
        return std::nullopt;
    return checker.misfit();
}

JsonSchema::Node const* JsonSchema::add(Json const& schema) {
    if (schema.contains("$ref"))
        return named(schema.at("$ref").get<std::string>().substr(std::string("#/$defs/").size()));
    Node& node = *nodes_.emplace_back(std::make_unique<Node>());
    fill(node, schema);
    return &node;
}

// A definition may contain itself, so it is known before it is filled.
JsonSchema::Node const* JsonSchema::named(std::string const& name) {
    auto const [known, is_new] = named_.emplace(name, nullptr);
    if (!is_new)
        return known->second;
    Node& node = *nodes_.emplace_back(std::make_unique<Node>());
    known->second = &node;
    fill(node, definitions_.at(name));
    return &node;
}

void JsonSchema::fill(Node& node, Json const& schema) {
    for (auto const& [key, value] : schema.items()) {
        bool const is_annotation = key == "$schema" || key == "$defs" || key == "title";
        if (!is_annotation && !fill_value(node, key, value) && !fill_container(node, key, value))
            throw std::logic_error("results/schema.json has the keyword " + key + ", which this program does not know");
    }
    node.has_range = schema.contains("minimum") || schema.contains("maximum") || schema.contains("exclusiveMinimum");
    node.has_text = schema.contains("maxLength") || schema.contains("pattern");
}

bool JsonSchema::fill_value(Node& node, std::string const& key, Json const& value) {
    if (key == "type")
        node.types = value.is_string() ? std::vector{value.get<std::string>()} : value.get<std::vector<std::string>>();
    else if (key == "enum")
        node.allowed = value.get<std::vector<Json>>();
    else if (key == "description")
        node.description = value.get<std::string>();
    else if (key == "minimum")
        node.minimum = number_of(value);
    else if (key == "exclusiveMinimum")
        node.above = number_of(value);
    else if (key == "maximum")
        node.maximum = number_of(value);
    else if (key == "maxLength")
        node.max_length = value.get<std::size_t>();
    else if (key == "pattern")
        node.pattern.emplace(value.get<std::string>());
    else
        return false;
    return true;
}

bool JsonSchema::fill_container(Node& node, std::string const& key, Json const& value) {
    if (key == "minItems")
        node.min_items = value.get<std::size_t>();
    else if (key == "maxItems")
        node.max_items = value.get<std::size_t>();
    else if (key == "prefixItems")
        std::transform(value.begin(), value.end(), std::back_inserter(node.first_items),
                       [this](Json const& one) { return add(one); });
    else if (key == "items")
        node.items = add(value);
    else if (key == "required")
        node.required = value.get<std::vector<std::string>>();
    else if (key == "maxProperties")
        node.max_properties = value.get<std::size_t>();
    else if (key == "properties")
        std::transform(value.items().begin(), value.items().end(),
                       std::inserter(node.properties, node.properties.end()),
                       [this](auto const& one) { return std::pair(one.key(), add(one.value())); });
    else if (key == "propertyNames")
        node.names = add(value);
    else if (key == "additionalProperties")
        node.others = add(value);
    else
        return false;
    return true;
}

}  // namespace lockstep::bench
