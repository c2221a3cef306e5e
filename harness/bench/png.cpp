#include "harness/bench/png.hpp"

#include <array>
#include <string_view>

#include "harness/bench/deflate.hpp"

namespace lockstep::bench {

namespace {

std::string big_endian(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16 & 0xFF), static_cast<char>(value >> 8 & 0xFF),
            static_cast<char>(value & 0xFF)};
}

// CRC-32 with the polynomial of PNG, annex D.
std::uint32_t crc(std::string_view bytes) {
    static std::array<std::uint32_t, 256> const table = [] {
        std::array<std::uint32_t, 256> made{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1) != 0 ? 0xEDB88320u ^ (value >> 1) : value >> 1;
            made[i] = value;
        }
        return made;
    }();
    std::uint32_t const* const entries = table.data();
    std::uint32_t value = 0xFFFFFFFFu;
    for (char const byte : bytes)
        value = entries[(value ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (value >> 8);
    return ~value;
}

std::string chunk(std::string const& type, std::string const& data) {
    std::string const body = type + data;
    return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(crc(body));
}

}  // namespace

Image::Image(unsigned width, unsigned height, Colour background)
    : width_(width), height_(height), pixels_(std::size_t{width} * height, background) {}

void Image::set(long x, long y, Colour colour) {
    if (x < 0 || y < 0 || x >= static_cast<long>(width_) || y >= static_cast<long>(height_))
        return;
    pixels_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)] = colour;
}

std::string png_of(Image const& image) {
    std::string rows;
    rows.reserve(std::size_t{image.height()} * (3 * image.width() + 1));
    for (unsigned y = 0; y < image.height(); ++y) {
        rows += '\0';  // no filter
        static_assert(sizeof(Colour) == 3, "a row of colours has the byte layout of the file");
        rows.append(reinterpret_cast<char const*>(image.row(y).data()), std::size_t{3} * image.width());
    }
    std::string const header =
        big_endian(image.width()) + big_endian(image.height()) + std::string("\x08\x02\0\0\0", 5);
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) +
           chunk("IDAT", compressed_rows(rows, sizeof(Colour), std::size_t{3} * image.width() + 1)) + chunk("IEND", "");
}

}  // namespace lockstep::bench
