#pragma once
// A case on the CPU, one unit after the other, from the function that gives one unit.

#include <functional>
#include <map>
#include <string>

#include "common/random_grids/work.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/stored_output.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

class CpuCase : public bench::Case {
public:
    using Unit = std::function<bench::UnitResult(bench::Problem const&, std::uint64_t unit)>;
    using MetricsOf = std::function<bench::Metrics(bench::Problem const&)>;

    // `lanes` is how many lanes fold, as in Workload::words_per_unit.
    CpuCase(bench::Problem const& problem, unsigned lanes, Method method, Unit unit, MetricsOf metrics = {});

    void reset() override { output_.poison(); }
    void run(simt::Stream stream) override;
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override;
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override;
    bench::Metrics metrics() const override;

private:
    Workload workload_;
    unsigned lanes_;
    Method method_;
    Unit unit_;
    MetricsOf metrics_;
    bench::cpu::StoredOutput output_;
};

}  // namespace lockstep::random_grids
