#include "experiments/object_layout/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "common/object_layout/agent_class.hpp"
#include "experiments/object_layout/raster.hpp"

namespace lockstep::object_layout {

namespace {

constexpr unsigned side = 1200;  // pixels of the map
constexpr unsigned margin = 40;
constexpr unsigned legend_height = 60;
constexpr bench::Colour night = {13, 17, 23};
constexpr bench::Colour asphalt = {48, 56, 68};
constexpr bench::Colour crossing = {92, 104, 120};
constexpr bench::Colour pale = {150, 205, 190};
constexpr bench::Colour words = {200, 208, 218};
// Cars have from 65 to 84 mph, streets from 30 (in a city): the scale of the legend.
constexpr double slowest = 20;
constexpr double fastest = 85;

double length_of(Segment const& segment) {
    return std::hypot(segment.to.x - segment.from.x, segment.to.y - segment.from.y);
}

// The mean length of a street in pixels decides how wide streets and agents are.
double unit_of(std::vector<Segment> const& streets) {
    double sum = 0;
    for (Segment const& street : streets)
        sum += length_of(street);
    return streets.empty() ? 1 : std::clamp(sum / static_cast<double>(streets.size()), 6.0, 60.0);
}

double share_of(double speed) { return std::clamp((speed - slowest) / (fastest - slowest), 0.0, 1.0); }

void draw_legend(Raster& raster, std::uint64_t tick) {
    long const top = side + 18;
    long x = margin;
    raster.text("TICK " + std::to_string(tick), x, top, 2, words);
    x = 330;
    raster.text("CARS BY SPEED", x, top, 2, words);
    x += text_width("CARS BY SPEED ", 2);
    std::string const low = std::to_string(static_cast<int>(slowest));
    raster.text(low, x, top, 2, words);
    x += text_width(low + " ", 2);
    constexpr long bar = 200;
    for (long i = 0; i < bar; ++i) {
        Place const from = {static_cast<double>(x + i), static_cast<double>(top)};
        raster.line({from, {from.x, from.y + 14}}, 1.5, speed_colour(static_cast<double>(i) / (bar - 1)));
    }
    x += bar + 12;
    std::string const high = std::to_string(static_cast<int>(fastest)) + " MPH";
    raster.text(high, x, top, 2, words);
    x += text_width(high + "  ", 2);
    raster.disc({static_cast<double>(x), static_cast<double>(top + 7)}, 4, pale);
    raster.text("PEDESTRIANS", x + 14, top, 2, words);
}

}  // namespace

bench::Colour speed_colour(double share) {
    struct Stop {
        double at, red, green, blue;
    };
    constexpr std::array<Stop, 4> stops = {
        {{0.0, 70, 90, 230}, {0.4, 190, 60, 190}, {0.7, 250, 110, 60}, {1.0, 255, 225, 90}}};
    std::size_t next = 1;
    while (next + 1 < stops.size() && share > stops[next].at)
        ++next;
    Stop const& low = stops[next - 1];
    Stop const& high = stops[next];
    double const part = std::clamp((share - low.at) / (high.at - low.at), 0.0, 1.0);
    auto const mixed = [part](double from, double to) {
        return static_cast<std::uint8_t>(std::lround(from + part * (to - from)));
    };
    return {mixed(low.red, high.red), mixed(low.green, high.green), mixed(low.blue, high.blue)};
}

Picture::Picture(Network const& network)
    : network_(&network), streets_(street_map(network)), map_(side, side + legend_height, night) {
    for (Segment& street : streets_) {
        for (Place* const place : {&street.from, &street.to}) {
            place->x = margin + place->x * (side - 2 * margin);
            place->y = margin + place->y * (side - 2 * margin);
        }
    }
    Raster raster(side, side + legend_height, night);
    double const unit = unit_of(streets_);
    for (unsigned street = 0; street < network.streets(); ++street) {
        double const fast = share_of(static_cast<double>(network.max_velocity[street]));
        raster.line(streets_[street], unit * (0.10 + 0.14 * fast), asphalt);
    }
    for (Segment const& street : streets_)
        raster.disc(street.from, unit * 0.10, crossing);
    map_ = raster.image();
}

Place Picture::place_of(AgentPoint const& agent) const {
    Segment const& street = streets_[agent.street];
    double const part = std::clamp(static_cast<double>(agent.progress / network_->length[agent.street]), 0.0, 1.0);
    // To the right of the street, so that both directions are visible.
    double const length = std::max(1.0, length_of(street));
    double const aside = std::max(1.2, unit_of(streets_) * 0.07);
    return {street.from.x + part * (street.to.x - street.from.x) - aside * (street.to.y - street.from.y) / length,
            street.from.y + part * (street.to.y - street.from.y) + aside * (street.to.x - street.from.x) / length};
}

bench::Image Picture::with(std::vector<AgentPoint> const& agents, std::uint64_t tick) const {
    Raster raster(map_);
    double const radius = std::clamp(unit_of(streets_) * 0.09, 1.3, 4.5);
    for (AgentPoint const& agent : agents) {
        if (!is_car(agent.type))
            raster.disc(place_of(agent), radius * 0.6, pale, 0.55);
    }
    for (AgentPoint const& agent : agents) {
        if (is_car(agent.type)) {
            bench::Colour const colour = speed_colour(share_of(static_cast<double>(agent.speed)));
            raster.disc(place_of(agent), radius * 2, colour, 0.18);
            raster.disc(place_of(agent), radius, colour);
        }
    }
    draw_legend(raster, tick);
    return raster.image();
}

}  // namespace lockstep::object_layout
