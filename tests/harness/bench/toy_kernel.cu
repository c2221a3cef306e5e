// The toy experiment as a kernel: one thread per unit, words interleaved by 32.

#include "harness/bench/stored_output.hpp"
#include "harness/simt/launch.hpp"
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

class KernelCase : public bench::Case {
public:
    explicit KernelCase(bench::Problem const& problem) : Case(problem), output_(problem, 3, 32) {
        shape_.grid.x = static_cast<unsigned>((problem.units + 63) / 64);
        shape_.block.x = 64;
    }
    void reset() override { output_.poison(); }
    void run(simt::Stream const stream) override {
        KernelParameters parameters;
        parameters.seed = problem().seed;
        parameters.first_unit = problem().first_unit;
        parameters.layout = output_.layout();
        parameters.factor = static_cast<unsigned>(problem().axes.integer("factor"));
        simt::LOCKSTEP_MACHINE::launch("toy_kernel", toy_kernel, shape_, stream, parameters, output_.data());
    }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return output_.results(units);
    }
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override {
        return {static_cast<double>(problem().units), 12.0 * static_cast<double>(problem().units), 0};
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::LOCKSTEP_MACHINE::attributes("toy_kernel", toy_kernel, shape_)};
    }

private:
    bench::LOCKSTEP_MACHINE::StoredOutput output_;
    simt::LaunchShape shape_;
};

void add_kernel(bench::Experiment& experiment) {
    bench::Variant variant;
    variant.name = "kernel";
    variant.role = bench::Role::paper;
    variant.machine = simt::LOCKSTEP_MACHINE::machine;
    variant.reference = "scalar";
    variant.description = "one thread per unit";
    variant.make = [](bench::Problem const& problem) { return std::make_unique<KernelCase>(problem); };
    experiment.variants.push_back(variant);
}

}  // namespace LOCKSTEP_MACHINE

}  // namespace lockstep::toy
