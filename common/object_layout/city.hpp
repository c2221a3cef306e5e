#pragma once
// A planar network: a town of junctions on a jittered grid, with streets of both directions between neighbours.

#include <cstdint>
#include <string>

#include "common/object_layout/network.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned min_city = 2;
inline constexpr unsigned max_city = 1000;

// Columns x rows junctions. Every junction can be reached from every other; some streets between neighbours are
// missing. Streets along every fifth row and column are fast, and a street's length is the distance of its ends.
Network city_network(std::uint64_t seed, unsigned columns, unsigned rows);

// Returns the network of "city:COLUMNSxROWS". Throws bench::Error if the size does not parse.
bool is_city(std::string const& text);
Network city_from_text(std::uint64_t seed, std::string const& text);

}  // namespace lockstep::object_layout
