#include "experiments/replications/design.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
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
    if (value == 0 && parameter != "utilisation" && parameter != "chunks")
        fail(file, field, "no " + std::string(parameter) + " in a replication", "the value is 0", "Give at least 1.");
    if (parameter == "utilisation") {
        point.utilisation = value;
    } else if (parameter == "chunks") {
        point.chunks = static_cast<unsigned>(value);
    } else {
        point.items = static_cast<std::uint64_t>(value);
    }
}

// The header, and the fields of each further line.
struct Table {
    std::vector<Field> header;
    std::vector<std::vector<Field>> rows;
};

Table read_table(std::string const& text, std::string const& file, std::string const& model,
                 std::vector<std::string> const& known) {
    Table table;
    unsigned number = 0;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // spreadsheets write it
    std::string_view rest = text;
    if (rest.starts_with(byte_order_mark))
        rest.remove_prefix(byte_order_mark.size());
    while (!rest.empty()) {
        std::size_t const end = std::min(rest.find('\n'), rest.size());
        std::string_view const line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.find_first_not_of(" \r") == std::string_view::npos)
            continue;
        std::vector<Field> const fields = fields_of(line, number);
        if (table.header.empty()) {
            for (Field const& name : fields) {
                auto const is_same = [&](Field const& other) { return other.text == name.text; };
                if (std::any_of(table.header.begin(), table.header.end(), is_same))
                    fail(file, name, "parameter '" + std::string(name.text) + "' appears twice", "");
                table.header.push_back(name);
                if (std::find(known.begin(), known.end(), name.text) != known.end())
                    continue;
                fail(file, name, "unknown parameter '" + std::string(name.text) + "'",
                     "model " + model + " has " + bench::joined(known));
            }
            continue;
        }
        if (fields.size() != table.header.size()) {
            fail(file, fields.back(), "the line has " + std::to_string(fields.size()) + " values",
                 "the header has " + std::to_string(table.header.size()));
        }
        table.rows.push_back(fields);
    }
    if (table.rows.empty())
        throw bench::Error(file + ":1:1: no points", "a header is expected, then one line per point");
    return table;
}

// `option`: how the command line sets a parameter, up to its name.
void refuse_ignored(Table const& table, std::string const& file, std::set<std::string> const& given,
                    std::string const& option) {
    for (Field const& name : table.header) {
        if (given.contains(std::string(name.text)))
            throw bench::Error(option + std::string(name.text) + " has no effect",
                               file + " has a column " + std::string(name.text), "Leave one of them out.");
    }
}

}  // namespace

std::vector<DesignPoint> parse_design(std::string const& text, std::string const& file, Model model,
                                      DesignPoint const& defaults, std::set<std::string> const& given) {
    Table const table = read_table(text, file, std::string(to_string(model)), parameters_of(model));
    refuse_ignored(table, file, given, "--");
    std::vector<DesignPoint> points;
    for (std::vector<Field> const& fields : table.rows) {
        DesignPoint point = defaults;
        for (std::size_t i = 0; i < fields.size(); ++i)
            set(point, table.header[i].text, fields[i], file);
        try {
            make_point(model, point.items, point.utilisation, point.chunks);
        } catch (bench::Error const& error) {
            fail(file, fields.front(), error.what(), "");
        }
        points.push_back(point);
    }
    return points;
}

std::vector<std::vector<std::uint64_t>> parse_design(std::string const& text, std::string const& file,
                                                     model_file::ModelFile const& model,
                                                     model_file::Settings const& settings) {
    std::vector<std::string> known;
    for (model_file::ParameterLine const& parameter : model.parameters)
        known.push_back(parameter.name);
    Table const table = read_table(text, file, model.path, known);
    std::set<std::string> given;
    for (auto const& [name, value] : settings)
        given.insert(name);
    refuse_ignored(table, file, given, "--set ");
    std::vector<std::uint64_t> const defaults = jit::parameter_bits(model.parameters, model.path, settings);
    std::vector<std::vector<std::uint64_t>> points;
    for (std::vector<Field> const& fields : table.rows) {
        std::vector<std::uint64_t> point = defaults;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            auto const at = std::find(known.begin(), known.end(), table.header[i].text) - known.begin();
            jit::Type const type = model.parameters[static_cast<std::size_t>(at)].type;
            std::optional<std::uint64_t> const bits = jit::bits_of(type, std::string(fields[i].text));
            if (!bits)
                fail(file, fields[i],
                     known[static_cast<std::size_t>(at)] + " '" + std::string(fields[i].text) + "' does not parse",
                     "it must be " + jit::range_of(type));
            point[static_cast<std::size_t>(at)] = *bits;
        }
        points.push_back(point);
    }
    return points;
}

}  // namespace lockstep::replications
