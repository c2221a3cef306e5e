#pragma once
// A network as a list of streets, which parse_network() reads.

#include <cstdio>
#include <string>

#include "common/object_layout/network.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

inline std::string list_of_streets(object_layout::Network const& network) {
    std::string text;
    for (unsigned street = 0; street < network.streets(); ++street) {
        char numbers[64];
        std::snprintf(numbers, sizeof numbers, " %.9g %.9g\n", static_cast<double>(network.length[street]),
                      static_cast<double>(network.max_velocity[street]));
        text += network.junctions[network.from[street]] + " " + network.junctions[network.to[street]] + numbers;
    }
    return text;
}

inline void require_the_list_to_be_the_network(object_layout::Network const& network) {
    object_layout::Network const listed = object_layout::parse_network(list_of_streets(network), "listed.txt");
    require(listed.junctions == network.junctions && listed.from == network.from && listed.to == network.to &&
                listed.length == network.length && listed.max_velocity == network.max_velocity &&
                listed.contents == network.contents && listed.degree == network.degree,
            "a network as a list is the network");
}

}  // namespace lockstep::fuzz
