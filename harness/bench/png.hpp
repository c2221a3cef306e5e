#pragma once
// A small writer for PNG files (ISO/IEC 15948): 8-bit RGB, compressed by deflate.hpp, so it needs no library.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::bench {

struct Colour {
    std::uint8_t red, green, blue;
};

class Image {
public:
    Image(unsigned width, unsigned height, Colour background);

    unsigned width() const { return width_; }
    unsigned height() const { return height_; }
    Colour at(unsigned x, unsigned y) const { return row(y)[x]; }
    std::span<Colour const> row(unsigned y) const {
        return std::span(pixels_).subspan(std::size_t{y} * width_, width_);
    }
    // Ignores pixels outside the image.
    void set(long x, long y, Colour colour);

private:
    unsigned width_;
    unsigned height_;
    std::vector<Colour> pixels_;
};

// Returns the bytes of the PNG file.
std::string png_of(Image const& image);

}  // namespace lockstep::bench
