#pragma once
// The host side of every kernel of random_grids: parameters from the axes, tables, memory for the results, the launch.
// For `.cu` files, after their kernels.

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/parameters.hpp"
#include "common/random_grids/warpwise_no_sum.hpp"
#include "common/random_grids/work.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/kernel_case.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/simt/buffer.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

using GridKernel = void (*)(GridParameters, unsigned*);

// How streams are dealt to threads.
struct Mapping {
    unsigned threads_per_stream = 1;
    unsigned lanes = 1;  // that draw and fold: 1 or 32
    unsigned threads_per_block = 256;
    std::size_t shared_bytes = 0;  // a block
    Method method = Method::halving;
    bool whole_blocks = false;  // also where there are fewer streams: the kernel counts on all threads of a block
};

// 256 in the emulator: the sizes of the tests are at the edges of that, and ThreadSanitizer's clocks, which each
// meeting of lanes compares, are as long as the most lanes that were ever live.
inline unsigned block_size(Mapping const& mapping) {
    constexpr bool emulated = simt::LOCKSTEP_MACHINE::machine == simt::Machine::emulator;
    return emulated ? std::min(mapping.threads_per_block, 256u) : mapping.threads_per_block;
}

inline simt::LaunchShape launch_shape(Mapping const& mapping, std::uint64_t streams) {
    std::uint64_t const threads = streams * mapping.threads_per_stream;
    // No larger than the work, in whole warps: a small case does not wait for idle warps.
    std::uint64_t const warps = (threads + 31) / 32;
    unsigned const block = block_size(mapping);
    simt::LaunchShape shape;
    shape.block.x =
        mapping.whole_blocks ? block : static_cast<unsigned>(std::clamp<std::uint64_t>(32 * warps, 32, block));
    shape.grid.x = static_cast<unsigned>((threads + shape.block.x - 1) / shape.block.x);
    shape.shared_bytes = mapping.shared_bytes;
    return shape;
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

// A launch: its kernel and what it gets.
template <class Parameters>
struct GridLaunch {
    void (*kernel)(Parameters, unsigned*) = nullptr;
    Mapping mapping;
    Parameters parameters;
    std::shared_ptr<void const> tables;  // in device memory, what the parameters point to
};

template <class Parameters>
class GridCase : public bench::LOCKSTEP_MACHINE::KernelCase<Parameters> {
public:
    GridCase(std::string name, GridLaunch<Parameters> const& launch, Workload const& workload,
             bench::Problem const& problem)
        : bench::LOCKSTEP_MACHINE::KernelCase<Parameters>(problem, workload.words_per_unit(launch.mapping.lanes),
                                                          threadwise_interleave / launch.mapping.lanes,
                                                          kernel_launch(std::move(name), launch, problem.units)),
          work_(work_of(workload, problem.units, launch.mapping.lanes, launch.mapping.method)) {}

    bench::Work work() const override { return work_; }

private:
    static bench::LOCKSTEP_MACHINE::KernelLaunch<Parameters> kernel_launch(std::string name,
                                                                           GridLaunch<Parameters> const& launch,
                                                                           std::uint64_t streams) {
        return {
            std::move(name), launch.kernel, launch_shape(launch.mapping, streams), {launch.parameters}, launch.tables};
    }

    bench::Work work_;
};

template <class T>
simt::LOCKSTEP_MACHINE::Buffer<T> upload_table(std::vector<T> const& values) {
    simt::LOCKSTEP_MACHINE::Buffer<T> buffer(values.size());
    buffer.upload(std::span<T const>(values));
    return buffer;
}

// Calls function.template operator()<Engine, stored>() for what the problem names.
template <class Function>
auto with_engine_and_output(Workload const& workload, Function const& function) {
    return with_engine(workload.engine, [&]<class Engine>() {
        return workload.output == Output::stored ? function.template operator()<Engine, true>()
                                                 : function.template operator()<Engine, false>();
    });
}

using WhyNot = std::function<std::string(Workload const&)>;

// A variant of this machine; prepare(problem, workload) gives its GridLaunch.
template <class Prepare>
bench::Variant launched_variant(std::string const& name, bench::Role role, std::string const& reference,
                                std::string const& description, Prepare prepare, WhyNot why_not) {
    auto const make = [name, prepare](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        Workload const workload = read_workload(problem.axes);
        auto const launch = prepare(problem, workload);
        using Parameters = decltype(launch.parameters);
        return std::make_unique<GridCase<Parameters>>(name, launch, workload, problem);
    };
    std::function<std::string(bench::Axes const&)> unsupported_reason;
    if (why_not)
        unsupported_reason = [why_not](bench::Axes const& axes) { return why_not(read_workload(axes)); };
    return bench::LOCKSTEP_MACHINE::make_variant(name, role, reference, description, make, unsupported_reason);
}

// One whose kernel needs GridParameters alone: `pick` gives the kernel for a workload, `map` how it is launched.
inline bench::Variant grid_variant(std::string const& name, bench::Role role, std::string const& reference,
                                   std::string const& description, std::function<GridKernel(Workload const&)> pick,
                                   std::function<Mapping(Workload const&)> map, WhyNot why_not = {}) {
    auto const prepare = [pick, map](bench::Problem const& problem, Workload const& workload) {
        return GridLaunch<GridParameters>{pick(workload), map(workload), grid_parameters(problem, workload), nullptr};
    };
    return launched_variant(name, role, reference, description, prepare, why_not);
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
