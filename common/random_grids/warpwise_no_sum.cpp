#include "common/random_grids/warpwise_no_sum.hpp"

#include <map>
#include <mutex>
#include <numeric>

#include "common/random_grids/expected_steps.hpp"

namespace lockstep::random_grids {

namespace {

// expected_steps(sites), which takes long for many sites, is computed once.
std::vector<double> const& steps_by_occupied(unsigned sites) {
    static std::mutex mutex;
    static std::map<unsigned, std::vector<double>> known;
    std::scoped_lock const lock(mutex);
    auto const [entry, is_new] = known.try_emplace(sites);
    if (is_new)
        entry->second = expected_steps(sites);
    return entry->second;
}

}  // namespace

unsigned control_steps(Workload const& workload) {
    unsigned const sites = workload.shape.sites();
    double steps = 0;
    if (workload.mixed()) {
        std::vector<double> const& all = steps_by_occupied(sites);
        steps = std::accumulate(all.begin(), all.end(), 0.0) / (sites + 1);
    } else {
        unsigned among = sites;
        for (unsigned const occupied : workload.occupied) {
            steps += steps_by_occupied(among)[occupied] / workload.planes();
            among = occupied;
        }
    }
    return static_cast<unsigned>(steps * (1u << step_fraction));
}

}  // namespace lockstep::random_grids
