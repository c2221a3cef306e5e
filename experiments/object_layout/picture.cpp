#include "experiments/object_layout/picture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/object_layout/agent_class.hpp"

namespace lockstep::object_layout {

namespace {

constexpr unsigned side = 1000;
constexpr std::size_t max_spread = 400;  // above this number of junctions, the spring layout is too slow

struct Point {
    double x = 0;
    double y = 0;
};
struct Line {
    Point from, to;
};

Point on_circle(double turn, double radius) {
    double const angle = 2 * std::numbers::pi * turn;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

// Returns positions of the junctions by a spring layout (Fruchterman and Reingold): junctions repel one another, and
// streets attract their ends. The layout starts from a circle, and its steps become shorter.
std::vector<Point> spread(Network const& network) {
    std::size_t const count = network.junctions.size();
    std::vector<Point> points(count);
    for (std::size_t i = 0; i < count; ++i)
        points[i] = on_circle(static_cast<double>(i) / static_cast<double>(count), 1);
    if (count > max_spread)
        return points;
    double const near = 1.5 / std::sqrt(static_cast<double>(count));
    for (double step = 0.1; step > 0.001; step *= 0.97) {
        std::vector<Point> moves(count);
        auto const add = [&](std::size_t a, std::size_t b, bool pull) {
            Point const away = {points[a].x - points[b].x, points[a].y - points[b].y};
            double const distance = std::max(1e-6, std::hypot(away.x, away.y));
            double const force = pull ? -distance / near : near * near / (distance * distance);
            moves[a].x += away.x * force;
            moves[a].y += away.y * force;
        };
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                if (a != b)
                    add(a, b, false);
            }
        }
        for (unsigned street = 0; street < network.streets(); ++street) {
            add(network.from[street], network.to[street], true);
            add(network.to[street], network.from[street], true);
        }
        for (std::size_t i = 0; i < count; ++i) {
            double const length = std::max(1e-9, std::hypot(moves[i].x, moves[i].y));
            points[i].x += moves[i].x / length * std::min(length, step);
            points[i].y += moves[i].y / length * std::min(length, step);
        }
    }
    return points;
}

std::vector<Line> lines_of(Network const& network) {
    std::vector<Line> lines;
    if (network.from.empty()) {
        float const longest = *std::max_element(network.length.begin(), network.length.end());
        for (unsigned street = 0; street < network.streets(); ++street) {
            double const turn = street / static_cast<double>(network.streets());
            lines.push_back({on_circle(turn, 0.35),
                             on_circle(turn, 0.35 + 0.6 * static_cast<double>(network.length[street] / longest))});
        }
        return lines;
    }
    std::vector<Point> const points = spread(network);
    for (unsigned street = 0; street < network.streets(); ++street)
        lines.push_back({points[network.from[street]], points[network.to[street]]});
    return lines;
}

// Converts coordinates to pixels, with the same scale in both directions.
void fit(std::vector<Line>& lines) {
    double extent = 1e-9;
    for (Line const& line : lines)
        extent =
            std::max({extent, std::abs(line.from.x), std::abs(line.from.y), std::abs(line.to.x), std::abs(line.to.y)});
    double const scale = 0.46 * side / extent;
    for (Line& line : lines) {
        for (Point* const point : {&line.from, &line.to})
            *point = {side / 2.0 + scale * point->x, side / 2.0 + scale * point->y};
    }
}

void draw_line(bench::Image& image, Line const& line, bench::Colour colour) {
    double const steps = std::max(1.0, std::hypot(line.to.x - line.from.x, line.to.y - line.from.y));
    for (double i = 0; i <= steps; ++i) {
        double const part = i / steps;
        image.set(std::lround(line.from.x + part * (line.to.x - line.from.x)),
                  std::lround(line.from.y + part * (line.to.y - line.from.y)), colour);
    }
}

void draw_dot(bench::Image& image, Point const& centre, long radius, bench::Colour colour) {
    for (long y = -radius; y <= radius; ++y) {
        for (long x = -radius; x <= radius; ++x) {
            if (x * x + y * y <= radius * radius)
                image.set(std::lround(centre.x) + x, std::lround(centre.y) + y, colour);
        }
    }
}

}  // namespace

bench::Image draw_network(Network const& network, std::vector<AgentPoint> const& agents) {
    bench::Image image(side, side, {255, 255, 255});
    if (network.streets() == 0)
        return image;
    std::vector<Line> lines = lines_of(network);
    fit(lines);
    for (Line const& line : lines)
        draw_line(image, line, {170, 170, 170});
    for (std::size_t i = 0; i < network.junctions.size(); ++i) {
        for (unsigned street = 0; street < network.streets(); ++street) {
            if (network.from[street] == i)
                draw_dot(image, lines[street].from, 4, {90, 90, 90});
            if (network.to[street] == i)
                draw_dot(image, lines[street].to, 4, {90, 90, 90});
        }
    }
    for (AgentPoint const& agent : agents) {
        Line const& line = lines[agent.street];
        double const part = std::clamp(static_cast<double>(agent.progress / network.length[agent.street]), 0.0, 1.0);
        // To the right of the street, so that both directions are visible.
        double const length = std::max(1.0, std::hypot(line.to.x - line.from.x, line.to.y - line.from.y));
        Point const aside = {-3 * (line.to.y - line.from.y) / length, 3 * (line.to.x - line.from.x) / length};
        Point const position = {line.from.x + part * (line.to.x - line.from.x) + aside.x,
                                line.from.y + part * (line.to.y - line.from.y) + aside.y};
        draw_dot(image, position, 2, is_car(agent.type) ? bench::Colour{200, 40, 40} : bench::Colour{40, 80, 190});
    }
    return image;
}

}  // namespace lockstep::object_layout
