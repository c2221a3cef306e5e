#include "reference_cpu/random_grids/work.hpp"

#include "reference_cpu/random_grids/expected_steps.hpp"

namespace lockstep::random_grids {

bench::Work work_of(Workload const& workload, std::uint64_t streams, unsigned lanes) {
    double const boards = static_cast<double>(streams) * workload.length;
    bench::Work work;
    work.items = boards;
    work.bytes = 4.0 * static_cast<double>(streams) * workload.words_a_unit(lanes);
    work.operations = boards * workload.planes() * workload.shape.words() * typical_steps(workload.shape.sites());
    return work;
}

}  // namespace lockstep::random_grids
