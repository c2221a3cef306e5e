#include "reference_cpu/random_grids/cpu_case.hpp"

#include <utility>

namespace lockstep::random_grids {

CpuCase::CpuCase(bench::Problem const& problem, unsigned lanes, Method method, Unit unit, MetricsOf metrics)
    : StoredCase(problem, read_workload(problem.axes).words_per_unit(lanes)),
      workload_(read_workload(problem.axes)),
      lanes_(lanes),
      method_(method),
      unit_(std::move(unit)),
      metrics_(std::move(metrics)) {}

void CpuCase::run(simt::Stream) {
    for (std::uint64_t i = 0; i < problem().units; ++i)
        store(i, unit_(problem(), problem().first_unit + i));
}

bench::Work CpuCase::work() const { return work_of(workload_, problem().units, lanes_, method_); }

bench::Metrics CpuCase::metrics() const { return metrics_ ? metrics_(problem()) : bench::Metrics(); }

}  // namespace lockstep::random_grids
