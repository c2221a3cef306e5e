#pragma once
// The base class of the simulation's CPU variants.

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "common/object_layout/traffic.hpp"
#include "harness/bench/stored_case.hpp"

namespace lockstep::object_layout::cpu {

class CpuTrafficCase : public bench::cpu::StoredCase {
public:
    bench::Work work() const override {
        bench::Work work;
        work.items = static_cast<double>(traffic_->ticks) * static_cast<double>(problem().units);
        work.operations = work.items;
        work.bytes = 24.0 * static_cast<double>(problem().units);
        return work;
    }
    bool repeatable() const override { return false; }

protected:
    explicit CpuTrafficCase(bench::Problem const& problem) : StoredCase(problem, 2), traffic_(traffic_of(problem)) {}

    Traffic const& traffic() const { return *traffic_; }
    // Stores the final state of the case's agent number `index`.
    void store(std::uint64_t index, float progress, unsigned street) {
        std::uint32_t const result[] = {std::bit_cast<std::uint32_t>(progress), street};
        StoredCase::store(index, result);
    }

private:
    std::shared_ptr<Traffic const> traffic_;
};

// Layouts and orders apply to kernels. CPU variants run only with the defaults.
inline std::string cpu_traffic_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("program") != "traffic")
        return "it supports only program traffic";
    return axes.text("layout") != "soa" || axes.text("order") != "sorted"
               ? "it supports only the default layout and order"
               : "";
}

}  // namespace lockstep::object_layout::cpu
