#include "harness/bench/axes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/utf8.hpp"
#include "harness/bench/whole_number.hpp"

namespace lockstep::bench {

namespace {

// Characters of a text. The schema of results allows 512 for the name of a row.
constexpr std::size_t max_axis_value = 250;

bool parse_integer(std::string const& text, std::int64_t& value) {
    char const* const end = text.data() + text.size();
    auto const [stop, code] = std::from_chars(text.data(), end, value);
    return code == std::errc() && stop == end && !text.empty();
}

bool parse_real(std::string const& text, double& value) {
    char const* const end = text.data() + text.size();
    auto const [stop, code] = std::from_chars(text.data(), end, value);
    return code == std::errc() && stop == end && !text.empty() && std::isfinite(value);
}

std::string plain(double const value) {
    std::ostringstream stream;
    stream.precision(15);
    stream << value;
    return stream.str();
}

std::vector<std::string> axis_names(Experiment const& experiment) {
    std::vector<std::string> names;
    for (Axis const& axis : experiment.axes)
        names.push_back(axis.name);
    return names;
}

}  // namespace

std::string const& Axes::text(std::string const& name) const {
    auto const found = values_.find(name);
    if (found == values_.end()) {
        std::vector<std::string> names;
        for (auto const& entry : values_)
            names.push_back(entry.first);
        throw Error("unknown axis " + name, "this problem does not have it", suggestion(name, names));
    }
    return found->second;
}

std::int64_t Axes::integer(std::string const& name) const {
    std::int64_t value = 0;
    if (!parse_integer(text(name), value))
        throw Error("invalid " + name + "=" + text(name), "must be an integer");
    return value;
}

double Axes::real(std::string const& name) const {
    double value = 0;
    if (!parse_real(text(name), value))
        throw Error("invalid " + name + "=" + text(name), "must be a number");
    return value;
}

Axis const& find_axis(Experiment const& experiment, std::string const& name) {
    for (Axis const& axis : experiment.axes) {
        if (axis.name == name)
            return axis;
    }
    throw Error("unknown axis " + name, experiment.name + " does not have it",
                suggestion(name, axis_names(experiment)));
}

void check_axis_value(Axis const& axis, std::string const& value) {
    std::string const problem = "invalid " + axis.name + "=" + value;
    if (axis.kind == Axis::Kind::text) {
        bool const known = std::find(axis.allowed.begin(), axis.allowed.end(), value) != axis.allowed.end();
        if (value.empty())
            throw Error("invalid " + axis.name, "must not be empty");
        if (!axis.allowed.empty() && !known)
            throw Error(problem, "not a value of this axis", suggestion(value, axis.allowed));
        // Rows are named by the values of their axes.
        if (one_line(value) != value || length_of(value) > max_axis_value)
            throw Error(problem, "rows cannot have a longer name or one with control characters", "rename the file");
        return;
    }
    std::int64_t integer = 0;
    double real = 0;
    if (axis.kind == Axis::Kind::integer) {
        if (!parse_integer(value, integer))
            throw Error(problem, "must be an integer");
        real = static_cast<double>(integer);
    } else if (!parse_real(value, real)) {
        throw Error(problem, "must be a number");
    }
    if (real < axis.minimum || real > axis.maximum) {
        throw Error(problem, "must be from " + plain(axis.minimum) + " to " + plain(axis.maximum));
    }
}

void require_known(std::string const& what, std::string const& name, std::vector<std::string> const& known) {
    if (std::find(known.begin(), known.end(), name) != known.end())
        return;
    throw Error("unknown " + what + " " + name, known.empty() ? "none is defined" : "not in the list",
                suggestion(name, known));
}

Axes default_axes(Experiment const& experiment) {
    Axes axes;
    for (Axis const& axis : experiment.axes)
        axes.set(axis.name, axis.default_value);
    return axes;
}

void set_axis(Experiment const& experiment, Axes& axes, std::string const& name, std::string const& value) {
    Axis const& axis = find_axis(experiment, name);
    std::string const plain = axis.kind == Axis::Kind::integer ? whole_number(value) : value;
    check_axis_value(axis, plain);
    axes.set(name, plain);
}

std::string case_name(Experiment const& experiment, std::string_view const variant, std::string_view const machine,
                      Axes const& axes) {
    std::string name = experiment.name;
    name.append("/").append(variant).append("/").append(machine);
    for (Axis const& axis : experiment.axes) {
        std::string const& value = axes.text(axis.name);
        if (value != axis.default_value)
            name += "/" + axis.name + ":" + value;
    }
    return name;
}

}  // namespace lockstep::bench
