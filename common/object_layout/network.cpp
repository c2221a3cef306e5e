#include "common/object_layout/network.hpp"

#include <cmath>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>

#include "common/object_layout/osm.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/bench/error.hpp"
#include "harness/random/bounded.hpp"

namespace lockstep::object_layout {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

[[noreturn]] void refuse_line(std::string const& file, std::size_t line, std::string const& why) {
    throw bench::Error("network " + file + " cannot be read", "line " + std::to_string(line) + ": " + why,
                       "A line is `from to length max_velocity`.");
}

float number_of(std::string const& word, char const* what, float max, std::string const& file, std::size_t line) {
    char const* const begin = word.c_str();
    char* end = nullptr;
    float const value = std::strtof(begin, &end);
    if (end == begin || end != begin + word.size() || !std::isfinite(value)) {
        refuse_line(file, line, std::string(what) + " '" + word + "' is not a number");
    }
    if (!(value > 0 && value <= max)) {
        refuse_line(file, line,
                    std::string(what) + " " + word + " is out of range: it must be above 0 and at most " +
                        std::to_string(static_cast<unsigned>(max)));
    }
    return value;
}

}  // namespace

void connect_streets(Network& network, std::string const& name) {
    std::vector<std::vector<unsigned>> leaving(network.junctions.size());
    for (unsigned street = 0; street < network.streets(); ++street)
        leaving[network.from[street]].push_back(street);
    // Counted first: 2^16 streets from a junction to itself are 512 KiB of text and 2^32 neighbours.
    std::uint64_t neighbours = 0;
    for (unsigned const end : network.to)
        neighbours += leaving[end].size();
    if (neighbours > max_neighbours) {
        throw bench::Error("network " + name + " has too many neighbours",
                           std::to_string(neighbours) + ", at most " + std::to_string(max_neighbours),
                           "Let fewer streets meet in a junction.");
    }
    for (unsigned const end : network.to) {
        network.offset.push_back(static_cast<unsigned>(network.contents.size()));
        network.degree.push_back(static_cast<unsigned>(leaving[end].size()));
        network.contents.insert(network.contents.end(), leaving[end].begin(), leaving[end].end());
    }
}

Network random_network(std::uint64_t seed, unsigned streets) {
    Network network;
    for (unsigned street = 0; street < streets; ++street) {
        cpu::Philox words = cpu::Philox::stream(seed, street, birth_of_street);
        network.length.push_back(static_cast<float>(1 + random::cpu::bounded(words, 25)));
        network.max_velocity.push_back(static_cast<float>(45 + random::cpu::bounded(words, 40)));
        unsigned const degree = 1 + random::cpu::bounded(words, 10);
        network.offset.push_back(static_cast<unsigned>(network.contents.size()));
        network.degree.push_back(degree);
        for (unsigned i = 0; i < degree; ++i)
            network.contents.push_back(random::cpu::bounded(words, streets));
    }
    return network;
}

Network read_network(std::string const& text, std::string const& file) {
    return is_osm(text) ? parse_osm(text, file) : parse_network(text, file);
}

Network parse_network(std::string const& text, std::string const& file) {
    Network network;
    std::map<std::string, unsigned> numbers;
    auto const junction = [&](std::string const& name) {
        auto const [entry, added] = numbers.emplace(name, static_cast<unsigned>(numbers.size()));
        if (added)
            network.junctions.push_back(name);
        return entry->second;
    };
    std::istringstream lines(text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::vector<std::string> const parts{std::istream_iterator<std::string>(words), {}};
        if (parts.empty())
            continue;
        if (parts.size() != 4)
            refuse_line(file, number, "it has " + std::to_string(parts.size()) + " words");
        // As in two files that were joined: its junction would not be that of the same name without the mark.
        if (parts[0].starts_with(byte_order_mark) || parts[1].starts_with(byte_order_mark))
            refuse_line(file, number, "a byte order mark is in front of a name");
        float const length = number_of(parts[2], "length", 1e6f, file, number);
        float const velocity = number_of(parts[3], "max_velocity", 1000, file, number);
        network.from.push_back(junction(parts[0]));
        network.to.push_back(junction(parts[1]));
        network.length.push_back(length);
        network.max_velocity.push_back(velocity);
    }
    if (network.streets() == 0)
        throw bench::Error("network " + file + " has no streets", "every line is empty or a comment");
    connect_streets(network, file);
    return network;
}

}  // namespace lockstep::object_layout
