#include "experiments/random_grids/picture.hpp"

#include <algorithm>
#include <array>

#include "harness/bench/error.hpp"

namespace lockstep::random_grids {

namespace {

Colour piece_colour(unsigned number) {
    static std::array<Colour, max_colours> const colours = {{{20, 20, 20},
                                                             {245, 245, 245},
                                                             {190, 60, 50},
                                                             {50, 90, 170},
                                                             {60, 130, 70},
                                                             {150, 80, 160},
                                                             {90, 160, 175},
                                                             {220, 210, 120}}};
    return colours[number - 1];
}

void draw_site(Image& image, long centre_x, long centre_y, long cell, unsigned colour) {
    Colour const line = {120, 90, 40};
    for (long offset = -(cell / 2); offset < cell - cell / 2; ++offset) {
        image.set(centre_x + offset, centre_y, line);
        image.set(centre_x, centre_y + offset, line);
    }
    if (colour == 0)
        return;
    // Compares squared diameters, scaled by 100 / cell: a piece is 90 % as wide as a cell, and its outline is the part
    // beyond 80 %.
    for (long y = -cell / 2; y <= cell / 2; ++y) {
        for (long x = -cell / 2; x <= cell / 2; ++x) {
            long const distance = 400 * (x * x + y * y);
            if (distance <= 81 * cell * cell) {
                bool const outline = cell >= 8 && distance > 64 * cell * cell;
                image.set(centre_x + x, centre_y + y, outline ? Colour{20, 20, 20} : piece_colour(colour));
            }
        }
    }
}

}  // namespace

Image draw_boards(std::vector<Board> const& boards) {
    Shape const shape = boards.empty() ? Shape{1, 1} : boards.front().shape;
    unsigned const cell = std::clamp(4096u / std::max(shape.width, shape.height), 1u, 24u);
    std::size_t const height = boards.size() * (shape.height + 1) * cell;
    if (shape.width * cell > 32768 || height > 32768) {
        throw bench::Error("the picture is too large",
                           std::to_string(boards.size()) + " boards are " + std::to_string(height) + " pixels high",
                           "Draw fewer boards with --count.");
    }
    Image image((shape.width + 1) * cell, static_cast<unsigned>(std::max<std::size_t>(height, 1)), {222, 184, 110});
    for (std::size_t i = 0; i < boards.size(); ++i) {
        for (unsigned row = 0; row < shape.height; ++row) {
            for (unsigned column = 0; column < shape.width; ++column) {
                long const y = static_cast<long>((i * (shape.height + 1) + row + 1) * cell);
                draw_site(image, (static_cast<long>(column) + 1) * static_cast<long>(cell), y, static_cast<long>(cell),
                          boards[i].at(row, column));
            }
        }
    }
    return image;
}

}  // namespace lockstep::random_grids
