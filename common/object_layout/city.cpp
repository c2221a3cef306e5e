#include "common/object_layout/city.hpp"

#include <charconv>
#include <cmath>

#include "common/object_layout/tick_words.hpp"
#include "harness/bench/error.hpp"
#include "harness/random/bounded.hpp"

namespace lockstep::object_layout {

namespace {

constexpr std::string_view prefix = "city:";
constexpr float block = 14.0f;          // mean length of a street: the mean of the paper's, 1 to 25, is 13
constexpr unsigned share_missing = 30;  // percent of the streets that no tree needs
constexpr unsigned avenue = 5;

// A junction and its choices, all from one random stream.
struct Junction {
    float x, y;
    bool joins_left;       // which of its two streets keeps the city connected
    bool keeps_other;      // whether the other of them exists
    unsigned velocity[2];  // of its streets to the left and upwards
};

Junction junction_at(std::uint64_t seed, unsigned column, unsigned row, unsigned columns) {
    cpu::Philox words = cpu::Philox::stream(seed, std::uint64_t{row} * columns + column, birth_of_city);
    auto const jitter = [&] { return (static_cast<float>(random::cpu::bounded(words, 601)) - 300.0f) / 1000.0f; };
    Junction made = {};
    made.x = block * (static_cast<float>(column) + jitter());
    made.y = block * (static_cast<float>(row) + jitter());
    made.joins_left = random::cpu::bounded(words, 2u) == 0;
    made.keeps_other = random::cpu::bounded(words, 100u) >= share_missing;
    made.velocity[0] = (row % avenue == 0 ? 65u : 30u) + random::cpu::bounded(words, 20u);
    made.velocity[1] = (column % avenue == 0 ? 65u : 30u) + random::cpu::bounded(words, 20u);
    return made;
}

void add_street(Network& network, unsigned from, unsigned to, unsigned velocity) {
    float const length = std::hypot(network.x[from] - network.x[to], network.y[from] - network.y[to]);
    for (auto const& [begin, end] : {std::pair{from, to}, std::pair{to, from}}) {
        network.from.push_back(begin);
        network.to.push_back(end);
        network.length.push_back(length);
        network.max_velocity.push_back(static_cast<float>(velocity));
    }
}

unsigned size_of(std::string_view text, std::string const& whole) {
    unsigned size = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || end != text.data() + text.size() || size < min_city || size > max_city) {
        throw bench::Error(
            "network '" + whole + "' does not parse",
            "it is city:COLUMNSxROWS, each from " + std::to_string(min_city) + " to " + std::to_string(max_city),
            "Try city:24x24.");
    }
    return size;
}

}  // namespace

Network city_network(std::uint64_t seed, unsigned columns, unsigned rows) {
    Network network;
    for (unsigned row = 0; row < rows; ++row) {
        for (unsigned column = 0; column < columns; ++column) {
            Junction const made = junction_at(seed, column, row, columns);
            network.x.push_back(made.x);
            network.y.push_back(made.y);
            network.junctions.push_back(std::to_string(column) + "/" + std::to_string(row));
        }
    }
    for (unsigned row = 0; row < rows; ++row) {
        for (unsigned column = 0; column < columns; ++column) {
            Junction const made = junction_at(seed, column, row, columns);
            unsigned const number = row * columns + column;
            bool const only_left = row == 0;
            bool const only_up = column == 0;
            bool const main_street = only_left || (made.joins_left && !only_up);
            bool const left = column > 0 && (main_street || made.keeps_other);
            bool const up = row > 0 && (!main_street || made.keeps_other);
            if (left)
                add_street(network, number, number - 1, made.velocity[0]);
            if (up)
                add_street(network, number, number - columns, made.velocity[1]);
        }
    }
    connect_streets(network, "city");
    return network;
}

bool is_city(std::string const& text) { return text.starts_with(prefix); }

Network city_from_text(std::uint64_t seed, std::string const& text) {
    std::string_view const size = std::string_view(text).substr(prefix.size());
    std::size_t const cross = std::min(size.find('x'), size.size());
    unsigned const columns = size_of(size.substr(0, cross), text);
    return city_network(seed, columns, size_of(size.substr(std::min(cross + 1, size.size())), text));
}

}  // namespace lockstep::object_layout
