#pragma once
// Draws lines, discs and text without steps at the edges: every pixel takes as much of a colour as is covered.

#include <string_view>
#include <utility>

#include "experiments/object_layout/street_map.hpp"
#include "harness/bench/png.hpp"

namespace lockstep::object_layout {

class Raster {
public:
    Raster(unsigned width, unsigned height, bench::Colour background) : image_(width, height, background) {}
    explicit Raster(bench::Image image) : image_(std::move(image)) {}

    bench::Image const& image() const { return image_; }

    // Coordinates are in pixels. `opacity` is from 0 to 1.
    void line(Segment const& segment, double width, bench::Colour colour, double opacity = 1);
    void disc(Place const& centre, double radius, bench::Colour colour, double opacity = 1);
    // Capital letters, digits and spaces of 5 x 7 dots of `dot` pixels. Other characters are spaces.
    void text(std::string_view text, long x, long y, unsigned dot, bench::Colour colour);

private:
    void blend(long x, long y, bench::Colour colour, double share);

    bench::Image image_;
};

// Pixels that a text takes.
unsigned text_width(std::string_view text, unsigned dot);

}  // namespace lockstep::object_layout
