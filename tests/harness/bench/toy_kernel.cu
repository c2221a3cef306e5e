// The toy experiment as a kernel: one thread per unit, words interleaved by 32.

#include "harness/bench/kernel_case.hpp"
#include "harness/bench/make_variant.hpp"
#include "tests/harness/bench/toy.hpp"
#include "tests/harness/bench/toy_word.hpp"

namespace lockstep::toy {

struct KernelParameters {
    unsigned long long seed = 0;
    unsigned long long first_unit = 0;
    bench::WordLayout layout;
    unsigned factor = 0;
};

namespace LOCKSTEP_MACHINE {

__global__ void toy_kernel(KernelParameters const parameters, unsigned* const output) {
    unsigned long long const unit = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (unit >= parameters.layout.units)
        return;
    for (unsigned word = 0; word < parameters.layout.words; ++word) {
        output[bench::LOCKSTEP_MACHINE::word_index(parameters.layout, unit, word)] =
            word_of(parameters.seed, parameters.first_unit + unit, parameters.factor, word);
    }
}

class ToyKernelCase : public bench::LOCKSTEP_MACHINE::KernelCase<KernelParameters> {
public:
    explicit ToyKernelCase(bench::Problem const& problem)
        : KernelCase(problem, words, interleave, launch_of(problem)) {}

    bench::Work work() const override {
        return {static_cast<double>(problem().units), 12.0 * static_cast<double>(problem().units), 0};
    }

private:
    static constexpr unsigned words = 3;
    static constexpr unsigned interleave = 32;

    static bench::LOCKSTEP_MACHINE::KernelLaunch<KernelParameters> launch_of(bench::Problem const& problem) {
        KernelParameters parameters;
        parameters.seed = problem.seed;
        parameters.first_unit = problem.first_unit;
        parameters.layout = {problem.units, words, interleave};
        parameters.factor = static_cast<unsigned>(problem.axes.integer("factor"));
        simt::LaunchShape const shape = {.grid = {static_cast<unsigned>((problem.units + 63) / 64)}, .block = {64}};
        return {"toy_kernel", toy_kernel, shape, {parameters}, nullptr};
    }
};

void add_kernel(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        "kernel", bench::Role::paper, "scalar", "one thread per unit",
        [](bench::Problem const& problem) { return std::make_unique<ToyKernelCase>(problem); }));
}

}  // namespace LOCKSTEP_MACHINE

}  // namespace lockstep::toy
