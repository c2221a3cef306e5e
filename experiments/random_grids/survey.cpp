#include "experiments/random_grids/survey.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include "harness/bench/error.hpp"

namespace lockstep::random_grids {
namespace {

constexpr char const* axis_columns[] = {"grid", "occupied", "engine", "streams", "length"};

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

std::string with(std::string text, char from, char to) {
    std::replace(text.begin(), text.end(), from, to);
    return text;
}

// Reads the lines of a table, and names the line that it rejects.
class TableReader {
public:
    explicit TableReader(std::string const& name) : name_(name) {}

    void read(std::string const& line) {
        ++line_;
        if (line.starts_with('#'))
            survey_.source.push_back(line.substr(std::min(line.size(), line.find_first_not_of("# "))));
        else if (survey_.variants.empty())
            read_header(cells_of(line));
        else
            survey_.rows.push_back(row_of(cells_of(line)));
    }

    Survey end() {
        if (survey_.rows.empty())
            refuse("the table has no rows");
        return std::move(survey_);
    }

private:
    [[noreturn]] void refuse(std::string const& why) const {
        throw bench::Error("invalid survey " + name_, "line " + std::to_string(line_) + ": " + why,
                           "`random_grids_survey time SECONDS SEED` writes one.");
    }

    void read_header(std::vector<std::string> const& cells) {
        if (cells.size() <= std::size(axis_columns) ||
            !std::equal(std::begin(axis_columns), std::end(axis_columns), cells.begin()))
            refuse("the columns are not those of the axes and the variants");
        survey_.variants.assign(cells.begin() + std::size(axis_columns), cells.end());
        if (std::set<std::string>(survey_.variants.begin(), survey_.variants.end()).size() != survey_.variants.size())
            refuse("a variant has two columns");
    }

    template <class Number>
    Number number_in(std::string const& cell) const {
        Number value = 0;
        auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc() || end != cell.data() + cell.size() || !(value > 0) ||
            value > std::numeric_limits<Number>::max())
            refuse("'" + cell + "' is not a positive number");
        return value;
    }

    SurveyRow row_of(std::vector<std::string> const& cells) const {
        std::size_t const count = std::size(axis_columns) + survey_.variants.size();
        if (cells.size() != count)
            refuse(std::to_string(cells.size()) + " cells, not " + std::to_string(count));
        SurveyRow row;
        row.setting = {cells[0], with(cells[1], '+', ','), cells[2], number_in<std::uint64_t>(cells[3]),
                       number_in<unsigned>(cells[4])};
        try {
            static_cast<void>(row.setting.workload());
        } catch (bench::Error const& error) {
            refuse(error.what());
        }
        for (std::size_t i = 0; i < survey_.variants.size(); ++i) {
            if (std::string const& cell = cells[std::size(axis_columns) + i]; !cell.empty())
                row.microseconds[survey_.variants[i]] = number_in<double>(cell);
        }
        if (row.microseconds.empty())
            refuse("no variant has a time");
        return row;
    }

    std::string const& name_;
    std::size_t line_ = 0;
    Survey survey_;
};

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

Survey read_survey(std::string const& text, std::string const& name) {
    TableReader reader(name);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        reader.read(line);
    return reader.end();
}

std::string header_line(std::vector<std::string> const& variants) {
    std::string line;
    for (char const* const column : axis_columns)
        line += (line.empty() ? "" : ",") + std::string(column);
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
    // So that most cases hold less than 1.5 GB of boards and take milliseconds. A stream has at least four boards.
    static constexpr double max_bytes = 1.5e9;
    static constexpr double max_boards = 4e7;

    Shape const board = shape();
    std::string const sites = occupied(board.sites());
    std::string const engine = one_of(engines);
    std::set<unsigned> some;
    while (some.size() < 6)
        some.insert(one_of(streams));
    std::vector<Setting> settings;
    for (unsigned const count : some) {
        double const max_length =
            std::min(max_bytes / (4.0 * board.words() * count), max_boards / (count * (1 + board.sites() / 512.0)));
        settings.push_back({std::to_string(board.width) + "x" + std::to_string(board.height), sites, engine, count,
                            static_cast<unsigned>(std::max(4.0, std::min(max_length, one_of(lengths))))});
    }
    return settings;
}

}  // namespace lockstep::random_grids
