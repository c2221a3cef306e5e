#include "experiments/random_grids/board_mask.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "experiments/random_grids/boards.hpp"
#include "experiments/random_grids/packed_bits.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::random_grids {

namespace {

void set_bit(std::vector<std::uint32_t>& words, std::size_t const site) { words[site / 32] |= 1u << site % 32; }

// The next bits of the set, on the sites of `free`.
std::uint32_t spread(BitReader& set, std::uint32_t free) {
    if (free == 0xFFFFFFFFu)
        return set.take(32);
    std::uint32_t bits = set.take(static_cast<unsigned>(std::popcount(free)));
    std::uint32_t word = 0;
    for (; bits != 0; bits >>= 1, free &= free - 1)
        word |= (bits & 1) != 0 ? free & (~free + 1) : 0;
    return word;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

BoardMask::BoardMask(Shape const& shape) : BoardMask(shape, std::vector<unsigned char>(shape.sites(), free)) {}

BoardMask::BoardMask(Shape const& shape, std::vector<unsigned char> const& sites)
    : shape_(shape), free_(simt::ceil_div(shape.sites(), 32u), 0) {
    for (std::size_t site = 0; site < sites.size(); ++site) {
        if (sites[site] == free) {
            set_bit(free_, site);
            ++free_sites_;
            continue;
        }
        fixed_.resize(std::max<std::size_t>(fixed_.size(), sites[site]), std::vector<std::uint32_t>(free_.size(), 0));
        for (unsigned plane = 0; plane < sites[site]; ++plane)
            set_bit(fixed_[plane], site);
        fixed_sites_ += sites[site] != 0 ? 1 : 0;
    }
}

void BoardMask::place(unsigned const plane, std::uint32_t const* const set, std::uint32_t* const board) const {
    for (std::size_t i = 0; i < free_.size(); ++i)
        board[i] = plane < fixed_.size() ? fixed_[plane][i] : 0;
    if (set == nullptr)
        return;
    BitReader bits(set);
    for (std::size_t i = 0; i < free_.size(); ++i)
        board[i] |= spread(bits, free_[i]);
}

BoardMask parse_mask(std::string const& text, std::string const& path) {
    std::vector<std::string_view> const lines = lines_of(text);
    auto const fail = [&](std::size_t const line, std::string const& why) {
        throw bench::Error("cannot use the mask " + path, "line " + std::to_string(line + 1) + " " + why,
                           "A mask is a board as --format text prints it, with ? for free sites.");
    };
    if (lines.empty() || lines[0].empty())
        fail(0, "has no sites");
    if (lines[0].size() > max_sites || lines.size() > max_sites || lines[0].size() * lines.size() > max_sites)
        throw bench::Error("cannot use the mask " + path, "it has more than " + std::to_string(max_sites) + " sites");
    std::vector<unsigned char> sites;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        if (lines[line].size() != lines[0].size())
            fail(line, "has " + std::to_string(lines[line].size()) + " sites, and line 1 has " +
                           std::to_string(lines[0].size()));
        for (char const sign : lines[line]) {
            std::size_t const colour = board_signs.find(sign);
            if (sign != '?' && colour == board_signs.npos)
                fail(line, "has the character '" + std::string(1, sign) + "'");
            sites.push_back(sign == '?' ? BoardMask::free : static_cast<unsigned char>(colour));
        }
    }
    return BoardMask(Shape{static_cast<unsigned>(lines[0].size()), static_cast<unsigned>(lines.size())}, sites);
}

std::string mask_text(Shape const& shape, std::vector<unsigned char> const& sites) {
    std::string text;
    for (std::size_t site = 0; site < sites.size(); ++site) {
        text += sites[site] == BoardMask::free ? '?' : board_signs[sites[site]];
        if ((site + 1) % shape.width == 0)
            text += '\n';
    }
    return text;
}

}  // namespace lockstep::random_grids
