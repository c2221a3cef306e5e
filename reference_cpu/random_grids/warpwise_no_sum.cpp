// Reference for the control without the warp sum (warpwise_no_sum.hpp): one row per lane.

#include "common/random_grids/warpwise_no_sum.hpp"

#include <bit>

#include "common/random_grids/engines.hpp"
#include "reference_cpu/random_grids/stream.hpp"

namespace lockstep::random_grids {

namespace {

template <class Engine>
Words one_set(std::vector<Engine>& engines, Words const& candidates, unsigned wanted, unsigned steps) {
    Words result(candidates.size());
    for (std::size_t row = 0; row < engines.size(); ++row) {
        std::uint32_t subset = 0;
        std::uint32_t left = row < candidates.size() ? candidates[row] : 0;
        unsigned included = 0;
        for (unsigned step = 0; step < steps; ++step) {
            std::uint32_t const selected = engines[row]() & left;
            auto const count = static_cast<unsigned>(std::popcount(selected));
            if (included + count <= wanted) {
                subset |= selected;
                included += count;
                left &= ~selected;
            } else {
                left = selected;
            }
        }
        if (row < result.size())
            result[row] = subset;
    }
    return result;
}

bench::UnitResult no_sum_stream(bench::Problem const& problem, std::uint64_t unit) {
    Workload const workload = read_workload(problem.axes);
    unsigned const lanes = 32;
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        std::vector<Engine> engines;
        for (unsigned lane = 0; lane < lanes; ++lane)
            engines.push_back(Engine::stream(problem.seed, unit, lane));
        cpu::ControlSteps steps(control_steps(workload));
        return draw_stream(workload, problem.seed, unit, lanes, [&](Words const& among, unsigned occupied, unsigned) {
            return one_set(engines, among, cpu::wanted_in_row(occupied), steps.next());
        });
    });
}

}  // namespace

namespace cpu {

void add_warpwise_no_sum(bench::Experiment& experiment) {
    experiment.references.push_back({"warpwise_no_sum", no_sum_stream});
}

}  // namespace cpu

}  // namespace lockstep::random_grids
