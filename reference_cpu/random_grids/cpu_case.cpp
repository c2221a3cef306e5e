#include "reference_cpu/random_grids/cpu_case.hpp"

#include <algorithm>

namespace lockstep::random_grids {

CpuCase::CpuCase(bench::Problem const& problem, unsigned lanes, Method method, Unit unit, MetricsOf metrics)
    : Case(problem),
      workload_(read_workload(problem.axes)),
      lanes_(lanes),
      method_(method),
      unit_(std::move(unit)),
      metrics_(std::move(metrics)),
      output_(problem, workload_.words_per_unit(lanes)) {}

void CpuCase::run(simt::Stream) {
    bench::WordLayout const& layout = output_.layout();
    for (std::uint64_t i = 0; i < layout.units; ++i) {
        bench::UnitResult const result = unit_(problem(), problem().first_unit + i);
        std::copy(result.begin(), result.end(), output_.data() + i * layout.words);
    }
}

std::vector<bench::UnitResult> CpuCase::results(std::span<std::uint64_t const> units) { return output_.results(units); }

bench::Work CpuCase::work() const { return work_of(workload_, problem().units, lanes_, method_); }

bench::Metrics CpuCase::metrics() const { return metrics_ ? metrics_(problem()) : bench::Metrics(); }

}  // namespace lockstep::random_grids
