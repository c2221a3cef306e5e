#include "experiments/object_layout/raster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace lockstep::object_layout {

namespace {

constexpr unsigned letter_width = 5;
constexpr unsigned letter_height = 7;
constexpr unsigned letter_step = letter_width + 1;

using Letter = std::array<std::uint8_t, letter_height>;  // a row per entry, the leftmost dot in bit 4

constexpr std::array<Letter, 10> digits = {{
    {0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E},
    {0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E},
    {0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F},
    {0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E},
    {0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02},
    {0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E},
    {0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E},
    {0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},
    {0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E},
    {0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C},
}};

constexpr std::array<Letter, 26> letters = {{
    {0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11}, {0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E},
    {0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E}, {0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E},
    {0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F}, {0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10},
    {0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0F}, {0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11},
    {0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E}, {0x01, 0x01, 0x01, 0x01, 0x11, 0x11, 0x0E},
    {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11}, {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F},
    {0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11}, {0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11},
    {0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E}, {0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10},
    {0x0E, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0D}, {0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11},
    {0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E}, {0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04},
    {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E}, {0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04},
    {0x11, 0x11, 0x11, 0x15, 0x15, 0x1B, 0x11}, {0x11, 0x11, 0x0A, 0x04, 0x0A, 0x11, 0x11},
    {0x11, 0x11, 0x0A, 0x04, 0x04, 0x04, 0x04}, {0x1F, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1F},
}};

Letter letter_of(char character) {
    if (character >= '0' && character <= '9')
        return digits[static_cast<std::size_t>(character - '0')];
    if (character >= 'A' && character <= 'Z')
        return letters[static_cast<std::size_t>(character - 'A')];
    return {};
}

double distance_to(Segment const& segment, Place const& place) {
    double const along_x = segment.to.x - segment.from.x;
    double const along_y = segment.to.y - segment.from.y;
    double const squared = along_x * along_x + along_y * along_y;
    double part = 0;
    if (squared > 0)
        part = ((place.x - segment.from.x) * along_x + (place.y - segment.from.y) * along_y) / squared;
    part = std::clamp(part, 0.0, 1.0);
    return std::hypot(place.x - segment.from.x - part * along_x, place.y - segment.from.y - part * along_y);
}

}  // namespace

void Raster::blend(long x, long y, bench::Colour colour, double share) {
    if (share <= 0 || x < 0 || y < 0 || x >= static_cast<long>(image_.width()) ||
        y >= static_cast<long>(image_.height()))
        return;
    bench::Colour const below = image_.at(static_cast<unsigned>(x), static_cast<unsigned>(y));
    auto const mixed = [&](std::uint8_t under, std::uint8_t over) {
        return static_cast<std::uint8_t>(std::lround(under + std::min(share, 1.0) * (over - under)));
    };
    image_.set(x, y, {mixed(below.red, colour.red), mixed(below.green, colour.green), mixed(below.blue, colour.blue)});
}

void Raster::line(Segment const& segment, double width, bench::Colour colour, double opacity) {
    double const reach = width / 2 + 1;
    long const left = std::lround(std::min(segment.from.x, segment.to.x) - reach);
    long const right = std::lround(std::max(segment.from.x, segment.to.x) + reach);
    long const top = std::lround(std::min(segment.from.y, segment.to.y) - reach);
    long const bottom = std::lround(std::max(segment.from.y, segment.to.y) + reach);
    for (long y = top; y <= bottom; ++y) {
        for (long x = left; x <= right; ++x) {
            double const distance = distance_to(segment, {static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5});
            blend(x, y, colour, opacity * std::clamp(width / 2 + 0.5 - distance, 0.0, 1.0));
        }
    }
}

void Raster::disc(Place const& centre, double radius, bench::Colour colour, double opacity) {
    line({centre, centre}, 2 * radius, colour, opacity);
}

void Raster::text(std::string_view text, long x, long y, unsigned dot, bench::Colour colour) {
    for (char const character : text) {
        Letter const letter = letter_of(character);
        for (unsigned row = 0; row < letter_height * dot; ++row) {
            for (unsigned column = 0; column < letter_width * dot; ++column) {
                if ((letter[row / dot] >> (letter_width - 1 - column / dot) & 1) != 0)
                    image_.set(x + static_cast<long>(column), y + static_cast<long>(row), colour);
            }
        }
        x += static_cast<long>(letter_step * dot);
    }
}

unsigned text_width(std::string_view text, unsigned dot) {
    return static_cast<unsigned>(text.size()) * letter_step * dot;
}

}  // namespace lockstep::object_layout
