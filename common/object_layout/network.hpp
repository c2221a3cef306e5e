#pragma once
// A network of streets, stored in arrays: either random, as in the paper's scenario, or read from a file.

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::object_layout {

// Street s has length[s], the maximum velocity max_velocity[s], and as neighbours the streets that leave its end:
// contents[offset[s]] .. contents[offset[s] + degree[s] - 1] (Figure 6). Streets from a file also have junctions.
struct Network {
    std::vector<float> length;
    std::vector<float> max_velocity;  // miles per hour
    std::vector<unsigned> offset;
    std::vector<unsigned> degree;
    std::vector<unsigned> contents;
    std::vector<unsigned> from, to;      // junctions; empty in a random network
    std::vector<std::string> junctions;  // names, in order of appearance
    std::vector<float> x, y;             // of the junctions of a city or a map; empty in other networks

    unsigned streets() const { return static_cast<unsigned>(length.size()); }
};

// The paper's random network: length 1 to 25, velocity 45 to 84, and 1 to 10 neighbours, each an arbitrary street
// (Section 5 and the authors' program).
Network random_network(std::uint64_t seed, unsigned streets);

// Of all streets together, in a file: 1 GiB.
inline constexpr std::uint64_t max_neighbours = std::uint64_t{1} << 28;

// Reads a text: streets of OpenStreetMap if it is XML (osm.hpp), and otherwise a list.
Network read_network(std::string const& text, std::string const& file);

// Parses a list of directed streets, one per line: `from to length max_velocity`. Junctions are names, and `#` begins a
// comment. The neighbours of a street are the streets that leave its `to`. Errors are bench::Error with file and line;
// bench::Error is also thrown if there are no streets or more than max_neighbours neighbours.
Network parse_network(std::string const& text, std::string const& file);

// Derives the neighbours of all streets from their junctions. Throws bench::Error if there are too many.
void connect_streets(Network& network, std::string const& name);

}  // namespace lockstep::object_layout
