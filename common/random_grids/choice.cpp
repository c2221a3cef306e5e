#include "common/random_grids/choice.hpp"

#include <utility>

#include "common/random_grids/expected_time.hpp"

namespace lockstep::random_grids {

std::vector<std::string> fastest_variants(Workload const& workload, std::uint64_t const streams) {
    std::vector<std::string> names = {"unranked", "word"};  // at most 64 sites of one colour; one row of at most 32
    if (workload.shape.words() <= 2) {                      // one row of at most 64 sites, or two of at most 32
        names.push_back("threadwise");
        names.push_back("word64");
    }
    for (std::string& name : variants_by_expected_time(workload, streams))
        names.push_back(std::move(name));
    names.push_back("threadwise");  // the only one with some kinds of work after the draw
    names.push_back("warpwise");
    return names;
}

}  // namespace lockstep::random_grids
