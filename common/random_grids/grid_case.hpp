#pragma once
// The host side of every kernel of random_grids: parameters from the axes, memory for the results, the launch. For
// `.cu` files, after their kernels.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/parameters.hpp"
#include "common/random_grids/warpwise_no_sum.hpp"
#include "common/random_grids/work.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/stored_output.hpp"
#include "harness/bench/variant.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

using GridKernel = void (*)(GridParameters, unsigned*);

// How streams are dealt to threads.
struct Mapping {
    unsigned threads_per_stream = 1;
    unsigned lanes = 1;  // that draw and fold: 1 or 32
    unsigned threads_per_block = 256;
    std::size_t shared_bytes = 0;  // a block
    Method method = Method::halving;
};

// 256 in the emulator: the sizes of the tests are at the edges of that, and ThreadSanitizer's clocks, which each
// meeting of lanes compares, are as long as the most lanes that were ever live.
inline unsigned block_size(Mapping const& mapping) {
    constexpr bool emulated = simt::LOCKSTEP_MACHINE::machine == simt::Machine::emulator;
    return emulated ? std::min(mapping.threads_per_block, 256u) : mapping.threads_per_block;
}

inline GridParameters grid_parameters(bench::Problem const& problem, Workload const& workload) {
    GridParameters p;
    p.seed = problem.seed;
    p.first_unit = problem.first_unit;
    p.streams = problem.units;
    p.length = workload.length;
    p.height = workload.shape.height;
    p.width = workload.shape.width;
    p.words_per_row = workload.shape.words_per_row();
    p.last_mask = workload.shape.last_mask();
    p.planes = workload.planes();
    for (std::size_t i = 0; i < workload.occupied.size(); ++i)
        p.occupied[i] = workload.occupied[i];
    p.mixed = workload.mixed() ? 1 : 0;
    p.no_sum_pattern = no_sum_pattern;
    return p;
}

class GridCase : public bench::Case {
public:
    GridCase(std::string name, GridKernel kernel, Mapping const& mapping, bench::Problem const& problem)
        : Case(problem),
          name_(std::move(name)),
          kernel_(kernel),
          lanes_(mapping.lanes),
          method_(mapping.method),
          workload_(read_workload(problem.axes)),
          parameters_(grid_parameters(problem, workload_)),
          output_(problem, workload_.words_per_unit(mapping.lanes), mapping.lanes == 1 ? threadwise_interleave : 1) {
        std::uint64_t const threads = problem.units * mapping.threads_per_stream;
        // No larger than the work, in whole warps: a small case does not wait for idle warps.
        std::uint64_t const warps = (threads + 31) / 32;
        shape_.block.x = static_cast<unsigned>(std::clamp<std::uint64_t>(32 * warps, 32, block_size(mapping)));
        shape_.grid.x = static_cast<unsigned>((threads + shape_.block.x - 1) / shape_.block.x);
        shape_.shared_bytes = mapping.shared_bytes;
    }

    void reset() override { output_.poison(); }

    void run(simt::Stream stream) override {
        if (parameters_.streams == 0)
            return;
        simt::LOCKSTEP_MACHINE::launch(name_.c_str(), kernel_, shape_, stream, parameters_, output_.data());
    }

    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return output_.results(units);
    }
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override { return work_of(workload_, parameters_.streams, lanes_, method_); }
    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::LOCKSTEP_MACHINE::attributes(name_.c_str(), kernel_, shape_)};
    }

private:
    std::string name_;
    GridKernel kernel_;
    unsigned lanes_;
    Method method_;
    Workload workload_;
    GridParameters parameters_;
    bench::LOCKSTEP_MACHINE::StoredOutput output_;
    simt::LaunchShape shape_;
};

// Calls function.template operator()<Engine, stored>() for what the problem names.
template <class Function>
auto with_engine_and_output(Workload const& workload, Function const& function) {
    return with_engine(workload.engine, [&]<class Engine>() {
        return workload.output == Output::stored ? function.template operator()<Engine, true>()
                                                 : function.template operator()<Engine, false>();
    });
}

// A variant of this machine: `pick` gives the kernel for a workload, `map` how it is launched.
inline bench::Variant grid_variant(std::string const& name, bench::Role role, std::string const& reference,
                                   std::string const& description, std::function<GridKernel(Workload const&)> pick,
                                   std::function<Mapping(Workload const&)> map,
                                   std::function<std::string(Workload const&)> unsupported_reason = {}) {
    bench::Variant variant;
    variant.name = name;
    variant.role = role;
    variant.machine = simt::LOCKSTEP_MACHINE::machine;
    variant.reference = reference;
    variant.description = description;
    variant.make = [name, pick = std::move(pick),
                    map = std::move(map)](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        Workload const workload = read_workload(problem.axes);
        return std::make_unique<GridCase>(name, pick(workload), map(workload), problem);
    };
    if (unsupported_reason) {
        variant.unsupported_reason = [unsupported_reason = std::move(unsupported_reason)](bench::Axes const& axes) {
            return unsupported_reason(read_workload(axes));
        };
    }
    return variant;
}

// A warp a stream.
inline Mapping warp_mapping(Workload const&) { return {32, 32, 256, 0, Method::halving}; }

// Why a row a lane does not take the workload.
inline std::string needs_32x32(Workload const& workload) {
    return workload.shape.width > 32 || workload.shape.height > 32 ? "it holds one row of at most 32 sites per lane"
                                                                   : "";
}

// Why an array of the largest common size does not take the workload.
inline std::string at_most_512_words(Workload const& workload) {
    return workload.shape.words() > 512 ? "its arrays hold 512 words" : "";
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
