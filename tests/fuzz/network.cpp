// Networks of streets.

#include "common/object_layout/network.hpp"

#include "tests/fuzz/streets.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void network(std::string const& input) {
    object_layout::Network network;
    if (!accepts([&] { network = object_layout::parse_network(input, "network.txt"); }))
        return;
    for (unsigned street = 0; street < network.streets(); ++street) {
        for (unsigned i = 0; i < network.degree[street]; ++i)
            require(network.from[network.contents[network.offset[street] + i]] == network.to[street],
                    "the neighbours of a street leave its end");
    }
    require_the_list_to_be_the_network(network);
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(network)
