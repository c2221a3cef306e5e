// Networks of streets.

#include "common/object_layout/network.hpp"

#include <cstdio>

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

namespace {

std::string network_text(object_layout::Network const& network) {
    std::string text;
    for (unsigned street = 0; street < network.streets(); ++street) {
        char numbers[64];
        std::snprintf(numbers, sizeof numbers, " %.9g %.9g\n", static_cast<double>(network.length[street]),
                      static_cast<double>(network.max_velocity[street]));
        text += network.junctions[network.from[street]] + " " + network.junctions[network.to[street]] + numbers;
    }
    return text;
}

}  // namespace

void network(std::string const& input) {
    object_layout::Network network;
    if (!accepts([&] { network = object_layout::parse_network(input, "network.txt"); }))
        return;
    for (unsigned street = 0; street < network.streets(); ++street) {
        for (unsigned i = 0; i < network.degree[street]; ++i)
            require(network.from[network.contents[network.offset[street] + i]] == network.to[street],
                    "the neighbours of a street leave its end");
    }
    object_layout::Network const printed = object_layout::parse_network(network_text(network), "printed.txt");
    require(printed.junctions == network.junctions && printed.from == network.from && printed.to == network.to &&
                printed.length == network.length && printed.max_velocity == network.max_velocity &&
                printed.contents == network.contents && printed.degree == network.degree,
            "a printed network is the network");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(network)
