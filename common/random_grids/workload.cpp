#include "common/random_grids/workload.hpp"

#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>

#include "harness/bench/error.hpp"

namespace lockstep::random_grids {

namespace {

std::optional<unsigned> parse_number(std::string_view text) {
    unsigned value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

After after_of(std::string const& name) {
    return name == "liberties" ? After::liberties : name == "connected" ? After::connected : After::none;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        std::size_t const at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos)
            return parts;
        text.remove_prefix(at + 1);
    }
}

}  // namespace

std::vector<std::uint32_t> Shape::all_sites() const {
    std::vector<std::uint32_t> sites;
    sites.reserve(words());
    for (unsigned row = 0; row < height; ++row) {
        for (unsigned column = 0; column < words_per_row(); ++column)
            sites.push_back(mask(column));
    }
    return sites;
}

Shape parse_shape(std::string const& text) {
    std::vector<std::string_view> const parts = split(text, 'x');
    std::optional<unsigned> const width = parts.size() == 2 ? parse_number(parts[0]) : std::nullopt;
    std::optional<unsigned> const height = parts.size() == 2 ? parse_number(parts[1]) : std::nullopt;
    if (!width || !height) {
        throw bench::Error("grid '" + text + "' does not parse", "the format is WIDTHxHEIGHT, in sites", "Try 32x32.");
    }
    if (*width == 0 || *height == 0) {
        throw bench::Error("grid " + text + " has no sites", "width and height start at 1", "Try 15x15.");
    }
    if (std::uint64_t{*width} * *height > max_sites) {
        throw bench::Error("grid " + text + " is too large", "at most " + std::to_string(max_sites) + " sites",
                           "Try 128x128.");
    }
    return Shape{*width, *height};
}

std::vector<unsigned> parse_occupied(std::string const& text, Shape const& shape) {
    if (text == "mixed")
        return {};
    if (text == "half")
        return {shape.sites() / 2};
    std::vector<unsigned> colours;
    std::uint64_t sum = 0;
    for (std::string_view const part : split(text, ',')) {
        std::optional<unsigned> const count = parse_number(part);
        if (!count) {
            throw bench::Error("occupied '" + text + "' does not parse",
                               "it is a number of sites, one number per colour as in 71,70, 'half' or 'mixed'");
        }
        colours.push_back(*count);
        sum += *count;
    }
    if (colours.size() > max_colours) {
        throw bench::Error("occupied " + text + " names too many colours", "at most " + std::to_string(max_colours));
    }
    if (sum > shape.sites()) {
        throw bench::Error("occupied " + text + " does not fit",
                           std::to_string(sum) + " occupied sites, but " + std::to_string(shape.width) + "x" +
                               std::to_string(shape.height) + " has " + std::to_string(shape.sites()),
                           "Occupy at most all sites of the grid.");
    }
    // Colours to planes: each plane also holds the sites of all later colours.
    for (std::size_t i = colours.size() - 1; i > 0; --i)
        colours[i - 1] += colours[i];
    return colours;
}

Workload read_workload(bench::Axes const& axes) {
    Workload workload;
    workload.shape = parse_shape(axes.text("grid"));
    workload.occupied = parse_occupied(axes.text("occupied"), workload.shape);
    workload.engine = axes.text("engine");
    workload.length = static_cast<unsigned>(axes.integer("length"));
    workload.output = axes.text("output") == "folded" ? Output::folded : Output::stored;
    workload.after = after_of(axes.text("after"));
    if (workload.after != After::none && (workload.shape.words_per_row() > 1 || workload.planes() > 1)) {
        throw bench::Error("after " + axes.text("after") + " does not work on these boards",
                           "they have rows of more than 32 sites or several colours", "Try --grid 32x32.");
    }
    std::uint64_t const words = std::uint64_t{workload.length} * workload.words_per_board();
    if (words > std::uint64_t{1} << 31) {
        throw bench::Error("length " + std::to_string(workload.length) + " is too long",
                           "the boards of a stream exceed 8 GiB", "Use more streams instead.");
    }
    return workload;
}

std::vector<bench::Axis> workload_axes() {
    using Kind = bench::Axis::Kind;
    return {
        {"grid", Kind::text, "32x32", "width x height of a board in sites, at most 16384 sites in total", 0, 0, {}},
        {"occupied",
         Kind::text,
         "half",
         "occupied sites of a board: a number, one number per colour (71,70), half, or mixed (uniform on 0..N per "
         "board)",
         0,
         0,
         {}},
        {"engine", Kind::text, "xorwow", "random number engine", 0, 0, {"xorwow", "philox7", "philox10", "taus88"}},
        {"streams",
         Kind::integer,
         "135168",
         "units: streams of boards, each with its own engine (or one engine per lane)",
         0,
         4294967295.0,
         {}},
        {"length", Kind::integer, "64", "consecutive boards per stream", 1, 1048576, {}},
        {"output",
         Kind::text,
         "folded",
         "boards are stored to memory, or folded into a checksum in registers",
         0,
         0,
         {"stored", "folded"}},
        {"after",
         Kind::text,
         "none",
         "work on a board in the kernel that draws it, whose result takes the place of the board: its liberties (empty "
         "sites next to an occupied one), or the occupied sites connected to the first row",
         0,
         0,
         {"none", "liberties", "connected"}},
    };
}

}  // namespace lockstep::random_grids
