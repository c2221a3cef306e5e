#include "experiments/replications/design.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::replications {

namespace {

// One value of a line, and its location in the file.
struct Field {
    std::string_view text;
    unsigned line = 0;
    std::size_t column = 0;
};

std::vector<Field> fields_of(std::string_view line, unsigned number) {
    std::vector<Field> fields;
    for (std::size_t start = 0;;) {
        std::size_t const comma = std::min(line.find(',', start), line.size());
        std::string_view text = line.substr(start, comma - start);
        std::size_t const column = start + 1;
        while (!text.empty() && text.front() == ' ')
            text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
            text.remove_suffix(1);
        fields.push_back({text, number, column});
        if (comma == line.size())
            return fields;
        start = comma + 1;
    }
}

std::vector<std::string> parameters_of(Model model) {
    if (model == Model::pi)
        return {"draws"};
    if (model == Model::mm1)
        return {"clients", "utilisation"};
    return {"steps", "chunks"};
}

[[noreturn]] void fail(std::string const& file, Field const& at, std::string const& problem, std::string const& why,
                       std::string const& suggestion = {}) {
    throw bench::Error(file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + problem, why,
                       suggestion);
}

void set(DesignPoint& point, std::string_view parameter, Field const& field, std::string const& file) {
    char const* const end = field.text.data() + field.text.size();
    double value = 0;
    auto const [stop, error] = std::from_chars(field.text.data(), end, value);
    bool const whole = parameter == "utilisation" || (value >= 0 && value == std::floor(value) && value <= 4e9);
    if (error != std::errc() || stop != end || !whole) {
        fail(file, field, std::string(parameter) + " '" + std::string(field.text) + "' does not parse",
             parameter == "utilisation" ? "a number is expected" : "a whole number is expected");
    }
    if (parameter == "utilisation") {
        point.utilisation = value;
    } else if (parameter == "chunks") {
        point.chunks = static_cast<unsigned>(value);
    } else {
        point.items = static_cast<std::uint64_t>(value);
    }
}

}  // namespace

std::vector<DesignPoint> parse_design(std::string const& text, std::string const& file, Model model,
                                      DesignPoint const& defaults) {
    std::vector<std::string> const known = parameters_of(model);
    std::vector<Field> header;
    std::vector<DesignPoint> points;
    unsigned number = 0;
    for (std::string_view rest = text; !rest.empty();) {
        std::size_t const end = std::min(rest.find('\n'), rest.size());
        std::string_view const line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.find_first_not_of(" \r") == std::string_view::npos)
            continue;
        std::vector<Field> const fields = fields_of(line, number);
        if (header.empty()) {
            for (Field const& name : fields) {
                auto const is_same = [&](Field const& other) { return other.text == name.text; };
                if (std::any_of(header.begin(), header.end(), is_same))
                    fail(file, name, "parameter '" + std::string(name.text) + "' appears twice", "");
                header.push_back(name);
                if (std::find(known.begin(), known.end(), name.text) != known.end())
                    continue;
                fail(file, name, "unknown parameter '" + std::string(name.text) + "'",
                     "model " + std::string(to_string(model)) + " has " + bench::joined(known));
            }
            continue;
        }
        if (fields.size() != header.size()) {
            fail(file, fields.back(), "the line has " + std::to_string(fields.size()) + " values",
                 "the header has " + std::to_string(header.size()));
        }
        DesignPoint point = defaults;
        for (std::size_t i = 0; i < fields.size(); ++i)
            set(point, header[i].text, fields[i], file);
        try {
            make_point(model, point.items, point.utilisation, point.chunks);
        } catch (bench::Error const& error) {
            fail(file, fields.front(), error.what(), "");
        }
        points.push_back(point);
    }
    if (points.empty())
        throw bench::Error(file + ":1:1: no points", "a header is expected, then one line per point");
    return points;
}

}  // namespace lockstep::replications
