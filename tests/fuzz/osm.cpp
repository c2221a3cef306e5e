// Extracts of OpenStreetMap. A network that was read is a list of streets too.

#include "common/object_layout/osm.hpp"

#include <cmath>

#include "tests/fuzz/streets.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void osm(std::string const& input) {
    object_layout::Network network;
    if (!accepts([&] { network = object_layout::parse_osm(input, "map.osm"); }))
        return;
    require(network.x.size() == network.junctions.size() && network.y.size() == network.junctions.size(),
            "a junction has a place");
    for (std::size_t i = 0; i < network.x.size(); ++i)
        require(std::isfinite(network.x[i]) && std::isfinite(network.y[i]), "a place is finite");
    require_the_list_to_be_the_network(network);
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(osm)
