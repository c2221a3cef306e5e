#pragma once
// A variant that consists of one kernel with one thread per unit and one word per result, such as the first kernel of a
// new experiment. For `.cu` files.

#include <memory>
#include <string>

#include "harness/bench/kernel_case.hpp"
#include "harness/bench/make_variant.hpp"

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

class UnitCase : public KernelCase<Units> {
public:
    UnitCase(std::string name, UnitKernel kernel, Problem const& problem)
        : KernelCase(problem, 1, 1,
                     {std::move(name),
                      kernel,
                      {.grid = {static_cast<unsigned>((problem.units + 255) / 256)}, .block = {256}},
                      {Units{problem.seed, problem.first_unit, problem.units}},
                      nullptr}) {}

    Work work() const override {
        auto const units = static_cast<double>(problem().units);
        return {units, sizeof(unsigned) * units, 0};
    }
};

// Adds the variant `name`, whose results must equal those of `reference`.
inline void add_unit_kernel(Experiment& experiment, std::string const& name, Role role, std::string const& reference,
                            UnitKernel kernel) {
    experiment.variants.push_back(make_variant(
        name, role, reference, "a thread per unit",
        [name, kernel](Problem const& problem) { return std::make_unique<UnitCase>(name, kernel, problem); }));
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
