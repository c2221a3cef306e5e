#pragma once
// What the CPU's variants of the simulation share.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "common/object_layout/traffic.hpp"
#include "harness/bench/stored_output.hpp"

namespace lockstep::object_layout::cpu {

class CpuTrafficCase : public bench::Case {
public:
    void reset() override { output_.poison(); }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return output_.results(units);
    }
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override {
        bench::Work work;
        work.items = static_cast<double>(traffic_->ticks) * static_cast<double>(problem().units);
        work.operations = work.items;
        work.bytes = 24.0 * static_cast<double>(problem().units);
        return work;
    }
    bool repeatable() const override { return false; }

protected:
    explicit CpuTrafficCase(bench::Problem const& problem)
        : Case(problem), traffic_(traffic_of(problem)), output_(problem, 2) {}

    Traffic const& traffic() const { return *traffic_; }
    // Stores the state of the agent with this index among the case's agents.
    void store(std::uint64_t index, float progress, unsigned street) {
        std::memcpy(output_.data() + 2 * index, &progress, sizeof progress);
        output_.data()[2 * index + 1] = street;
    }

private:
    std::shared_ptr<Traffic const> traffic_;
    bench::cpu::StoredOutput output_;
};

// Layouts and orders are of the kernels: the CPU runs once, with the defaults.
inline std::string cpu_traffic_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("program") != "traffic")
        return "it is for program traffic";
    return axes.text("layout") != "soa" || axes.text("order") != "sorted" ? "it has one layout and order" : "";
}

}  // namespace lockstep::object_layout::cpu
