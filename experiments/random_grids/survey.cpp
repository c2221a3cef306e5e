#include "experiments/random_grids/survey.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <set>

#include "harness/bench/error.hpp"

namespace lockstep::random_grids {
namespace {

constexpr char axis_columns[] = "grid,occupied,engine,streams,length";
constexpr std::size_t axis_count = 5;

std::vector<std::string> cells_of(std::string const& line) {
    std::vector<std::string> cells(1);
    for (char const c : line) {
        if (c == ',')
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

[[noreturn]] void refuse(std::size_t line, std::string const& why) {
    throw bench::Error("invalid survey", "line " + std::to_string(line) + ": " + why,
                       "`random_grids_survey time SECONDS SEED` writes one.");
}

template <class Number>
Number number_in(std::string const& cell, std::size_t line) {
    Number value = 0;
    auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !(value > 0))
        refuse(line, "'" + cell + "' is not a positive number");
    return value;
}

std::string with(std::string text, char from, char to) {
    std::replace(text.begin(), text.end(), from, to);
    return text;
}

SurveyRow read_row(std::string const& text, std::vector<std::string> const& variants, std::size_t line) {
    std::vector<std::string> const cells = cells_of(text);
    if (cells.size() != axis_count + variants.size())
        refuse(line, std::to_string(cells.size()) + " cells, not " + std::to_string(axis_count + variants.size()));
    SurveyRow row;
    row.setting = {cells[0], with(cells[1], '+', ','), cells[2], number_in<std::uint64_t>(cells[3], line),
                   number_in<unsigned>(cells[4], line)};
    for (std::size_t i = 0; i < variants.size(); ++i) {
        if (std::string const& cell = cells[axis_count + i]; !cell.empty())
            row.microseconds[variants[i]] = number_in<double>(cell, line);
    }
    if (row.microseconds.empty())
        refuse(line, "no variant has a time");
    return row;
}

std::string short_number(double value) {
    char text[32];
    auto const [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 5);
    return {text, error == std::errc() ? end : text};
}

}  // namespace

bench::Axes Setting::axes() const {
    bench::Axes axes;
    for (bench::Axis const& axis : workload_axes())
        axes.set(axis.name, axis.default_value);
    axes.set("grid", grid);
    axes.set("occupied", occupied);
    axes.set("engine", engine);
    axes.set("streams", std::to_string(streams));
    axes.set("length", std::to_string(length));
    axes.set("output", "stored");
    return axes;
}

Survey read_survey(std::istream& text) {
    Survey survey;
    std::string line;
    for (std::size_t number = 1; std::getline(text, line); ++number) {
        if (line.starts_with('#')) {
            survey.source.push_back(line.substr(line.find_first_not_of("# ")));
        } else if (survey.variants.empty()) {
            std::vector<std::string> const cells = cells_of(line);
            if (!line.starts_with(axis_columns) || cells.size() <= axis_count)
                refuse(number, "the columns do not begin with " + std::string(axis_columns) + " and a variant");
            survey.variants.assign(cells.begin() + axis_count, cells.end());
        } else {
            survey.rows.push_back(read_row(line, survey.variants, number));
        }
    }
    if (survey.rows.empty())
        refuse(1, "the table has no rows");
    return survey;
}

std::string head_line(std::vector<std::string> const& variants) {
    std::string line = axis_columns;
    for (std::string const& variant : variants)
        line += "," + variant;
    return line;
}

std::string row_line(SurveyRow const& row, std::vector<std::string> const& variants) {
    Setting const& setting = row.setting;
    std::string line = setting.grid + "," + with(setting.occupied, ',', '+') + "," + setting.engine + "," +
                       std::to_string(setting.streams) + "," + std::to_string(setting.length);
    for (std::string const& variant : variants) {
        auto const found = row.microseconds.find(variant);
        line += "," + (found == row.microseconds.end() ? std::string() : short_number(found->second));
    }
    return line;
}

// Mostly small boards, of any aspect. A third has whole words; a few are one row, or the board of most sweeps.
Shape RandomSettings::shape() {
    if (happens(0.12))
        return {32, 32};
    for (;;) {
        double const sites = std::exp(uniform(std::log(66), std::log(happens(0.85) ? 2400 : 16'000)));
        if (happens(0.08))
            return {static_cast<unsigned>(sites), 1};
        double width = std::max(1.0, std::round(std::sqrt(sites * std::exp(uniform(-0.9, 0.9)))));
        if (happens(0.3))
            width = 32 * std::max(1.0, std::floor((width + 16) / 32));
        Shape const shape{static_cast<unsigned>(width),
                          static_cast<unsigned>(std::max(1.0, std::round(sites / width)))};
        if (shape.sites() >= 65 && shape.sites() <= max_sites)
            return shape;
    }
}

std::string RandomSettings::occupied(unsigned sites) {
    double const kind = uniform(0, 1);
    if (kind < 0.2)
        return "mixed";
    if (kind < 0.3)
        return "half";
    if (kind < 0.5)
        return std::to_string(static_cast<unsigned>(std::exp(uniform(0, std::log(sites / 2)))));
    unsigned const first = static_cast<unsigned>(uniform(1, sites - 1));
    if (kind < 0.9)
        return std::to_string(first);
    return std::to_string(first) + "," + std::to_string(static_cast<unsigned>(uniform(1, sites - first)));
}

std::vector<Setting> RandomSettings::next() {
    static constexpr char const* engines[] = {"xorwow", "xorwow", "philox10", "philox10", "philox7"};
    static constexpr unsigned streams[] = {300,    1000,   2000,   3000,   5000,    8000,    12'000,
                                           20'000, 30'000, 50'000, 80'000, 135'168, 200'000, 300'000};
    static constexpr double lengths[] = {16, 48, 64, 64, 100, 200};
    // So that a case holds at most 1.5 GB of boards and takes milliseconds.
    static constexpr double most_bytes = 1.5e9;
    static constexpr double most_boards = 4e7;

    Shape const board = shape();
    std::string const sites = occupied(board.sites());
    std::string const engine = one_of(engines);
    std::set<unsigned> some;
    while (some.size() < 6)
        some.insert(one_of(streams));
    std::vector<Setting> settings;
    for (unsigned const count : some) {
        double const most =
            std::min(most_bytes / (4.0 * board.words() * count), most_boards / (count * (1 + board.sites() / 512.0)));
        settings.push_back({std::to_string(board.width) + "x" + std::to_string(board.height), sites, engine, count,
                            static_cast<unsigned>(std::max(4.0, std::min(most, one_of(lengths))))});
    }
    return settings;
}

}  // namespace lockstep::random_grids
