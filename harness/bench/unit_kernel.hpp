#pragma once
// A variant that consists of one kernel with one thread per unit and one word per result, such as the first kernel of a
// new experiment. For `.cu` files.

#include <algorithm>
#include <memory>
#include <string>

#include "harness/bench/stored_output.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

// The units [first, first + count) of a case.
struct Units {
    unsigned long long seed = 0;
    unsigned long long first = 0;
    unsigned long long count = 0;

    // The unit of the calling thread, relative to `first`. It may be `count` or more, because the grid consists of
    // complete blocks.
    __device__ unsigned long long index() const {
        return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    }
};

using UnitKernel = void (*)(Units, unsigned* results);

class UnitCase : public Case {
public:
    UnitCase(std::string name, UnitKernel kernel, Problem const& problem)
        : Case(problem), name_(std::move(name)), kernel_(kernel), output_(problem, 1) {
        shape_.block.x = 256;
        shape_.grid.x = static_cast<unsigned>(std::max<std::uint64_t>(1, (problem.units + 255) / 256));
    }

    void reset() override { output_.poison(); }
    void run(simt::Stream stream) override {
        Units const units{problem().seed, problem().first_unit, problem().units};
        simt::LOCKSTEP_MACHINE::launch(name_.c_str(), kernel_, shape_, stream, units, output_.data());
    }
    std::vector<UnitResult> results(std::span<std::uint64_t const> units) override { return output_.results(units); }
    std::uint64_t digest() override { return output_.digest(); }
    Work work() const override {
        auto const units = static_cast<double>(problem().units);
        return {units, sizeof(unsigned) * units, 0};
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::LOCKSTEP_MACHINE::attributes(name_.c_str(), kernel_, shape_)};
    }

private:
    std::string name_;
    UnitKernel kernel_;
    StoredOutput output_;
    simt::LaunchShape shape_;
};

// Adds the variant `name`, whose results must equal those of `reference`.
inline void add_unit_kernel(Experiment& experiment, std::string const& name, Role role, std::string const& reference,
                            UnitKernel kernel) {
    Variant variant;
    variant.name = name;
    variant.role = role;
    variant.machine = simt::LOCKSTEP_MACHINE::machine;
    variant.reference = reference;
    variant.description = "a thread per unit";
    variant.make = [name, kernel](Problem const& problem) { return std::make_unique<UnitCase>(name, kernel, problem); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
