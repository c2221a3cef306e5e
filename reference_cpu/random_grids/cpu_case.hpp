#pragma once
// A case on the CPU, one unit after the other, from the function that gives one unit.

#include <functional>
#include <map>
#include <string>

#include "common/random_grids/work.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"

namespace lockstep::random_grids {

class CpuCase : public bench::cpu::StoredCase {
public:
    using Unit = std::function<bench::UnitResult(bench::Problem const&, std::uint64_t unit)>;
    using MetricsOf = std::function<bench::Metrics(bench::Problem const&)>;

    // `lanes` is how many lanes fold, as in Workload::words_per_unit.
    CpuCase(bench::Problem const& problem, unsigned lanes, Method method, Unit unit, MetricsOf metrics = {});

    void run(simt::Stream stream) override;
    bench::Work work() const override;
    bench::Metrics metrics() const override;

private:
    Workload workload_;
    unsigned lanes_;
    Method method_;
    Unit unit_;
    MetricsOf metrics_;
};

}  // namespace lockstep::random_grids
