#pragma once
// A network of streets as arrays, random as in the paper's scenario or from a file, and the paper's object graph of it.

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::object_layout {

// Street s: its length, the velocity allowed on it, and the streets that leave its end, which lie in
// contents[offset[s]] .. contents[offset[s] + degree[s] - 1] (Figure 6). Streets of a file also know their junctions.
struct Network {
    std::vector<float> length;
    std::vector<float> max_velocity;  // miles an hour
    std::vector<unsigned> offset;
    std::vector<unsigned> degree;
    std::vector<unsigned> contents;
    std::vector<unsigned> from, to;      // junctions; empty in a random network, which has none
    std::vector<std::string> junctions;  // their names, in order of appearance

    unsigned streets() const { return static_cast<unsigned>(length.size()); }
};

// The paper's random network: length 1 to 25, velocity 45 to 84, 1 to 10 neighbours, any street each (Section 5 and the
// authors' program). Throws bench::Error where the neighbours would not fit into 32 bits.
Network random_network(std::uint64_t seed, unsigned streets);

// A list of directed streets, one a line: `from to length max_velocity`, junctions by name, `#` begins a comment. The
// neighbours of a street are the streets that leave its `to`. Throws bench::Error that names the file and the line.
Network parse_network(std::string const& text, std::string const& file);

}  // namespace lockstep::object_layout
