#include "experiments/object_layout/street_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/object_layout/city.hpp"

namespace lockstep::object_layout {

namespace {

constexpr std::size_t max_spread = 400;  // above this number of junctions, the spring layout is too slow
constexpr std::uint64_t map_seed = 1;    // of the city that lends its places to a random network

// Returns positions of the junctions by a spring layout (Fruchterman and Reingold): junctions repel one another, and
// streets attract their ends. The layout starts from a circle, and its steps become shorter.
std::vector<Place> spread(Network const& network) {
    std::size_t const count = network.junctions.size();
    std::vector<Place> places(count);
    for (std::size_t i = 0; i < count; ++i) {
        double const angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
        places[i] = {std::cos(angle), std::sin(angle)};
    }
    if (count > max_spread)
        return places;
    double const near = 1.5 / std::sqrt(static_cast<double>(count));
    for (double step = 0.1; step > 0.001; step *= 0.97) {
        std::vector<Place> moves(count);
        auto const add = [&](std::size_t a, std::size_t b, bool pull) {
            Place const away = {places[a].x - places[b].x, places[a].y - places[b].y};
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
            places[i].x += moves[i].x / length * std::min(length, step);
            places[i].y += moves[i].y / length * std::min(length, step);
        }
    }
    return places;
}

std::vector<Segment> between(Network const& network, std::vector<Place> const& places, unsigned streets) {
    std::vector<Segment> segments;
    for (unsigned street = 0; street < streets; ++street)
        segments.push_back({places[network.from[street]], places[network.to[street]]});
    return segments;
}

std::vector<Place> own_places(Network const& network) {
    std::vector<Place> places;
    for (std::size_t i = 0; i < network.x.size(); ++i)
        places.push_back({network.x[i], network.y[i]});
    return places;
}

// The smallest square city that has as many streets.
Network city_with(unsigned streets) {
    for (unsigned side = std::max(min_city, static_cast<unsigned>(std::sqrt(streets / 4.0)));; ++side) {
        Network city = city_network(map_seed, side, side);
        if (city.streets() >= streets)
            return city;
    }
}

// Moves and scales the segments into the unit square, with the same scale in both directions.
void fit(std::vector<Segment>& segments) {
    Place low = segments.front().from;
    Place high = low;
    for (Segment const& segment : segments) {
        for (Place const& place : {segment.from, segment.to}) {
            low = {std::min(low.x, place.x), std::min(low.y, place.y)};
            high = {std::max(high.x, place.x), std::max(high.y, place.y)};
        }
    }
    double const extent = std::max({high.x - low.x, high.y - low.y, 1e-9});
    Place const start = {(low.x + high.x - extent) / 2, (low.y + high.y - extent) / 2};
    for (Segment& segment : segments) {
        for (Place* const place : {&segment.from, &segment.to})
            *place = {(place->x - start.x) / extent, (place->y - start.y) / extent};
    }
}

}  // namespace

std::vector<Segment> street_map(Network const& network) {
    if (network.streets() == 0)
        return {};
    std::vector<Segment> segments;
    if (!network.x.empty()) {
        segments = between(network, own_places(network), network.streets());
    } else if (!network.from.empty()) {
        segments = between(network, spread(network), network.streets());
    } else {
        Network const city = city_with(network.streets());
        segments = between(city, own_places(city), network.streets());
    }
    fit(segments);
    return segments;
}

}  // namespace lockstep::object_layout
