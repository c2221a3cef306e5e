// Numbers of occupied sites, one per board (`grids --occupied-file`).

#include "experiments/random_grids/site_counts.hpp"

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void site_counts(std::string const& input) {
    accepts([&] {
        std::vector<std::uint16_t> const counts = random_grids::parse_site_counts(input, "counts", 16384);
        std::string printed;
        for (std::uint16_t const count : counts)
            printed += std::to_string(count) + "\n";
        require(random_grids::parse_site_counts(printed, "printed", 16384) == counts,
                "printed numbers are the numbers");
    });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(site_counts)
