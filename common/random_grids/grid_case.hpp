#pragma once
// Host side of every kernel of random_grids: parameters from the axes, tables, memory for the results, the launch. For
// `.cu` files, after their kernels.

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/random_grids/after.hpp"
#include "common/random_grids/engines.hpp"
#include "common/random_grids/parameters.hpp"
#include "common/random_grids/set_sizes.hpp"
#include "common/random_grids/stream_drawing.hpp"
#include "common/random_grids/work.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/kernel_case.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

using GridKernel = void (*)(GridParameters, unsigned*);

// How streams map to threads.
struct Mapping {
    unsigned threads_per_stream = 1;
    unsigned lanes = 1;  // lanes per stream that draw and fold
    unsigned threads_per_block = 256;
    std::size_t shared_bytes = 0;  // per block
    Method method = Method::halving;
    bool whole_blocks = false;    // even for fewer streams: the kernel relies on all threads of a block
    bool draws_k = true;          // false for the control that draws sets of any size
    unsigned streams_before = 0;  // drawn too, because the first stream shares a warp with them
    // No more blocks than one per multiprocessor: the kernel deals the streams out over its warps.
    bool one_block_per_multiprocessor = false;
};

// Capped at 256 in the emulator: tests probe that boundary, and the vector clocks of ThreadSanitizer, which every
// collective compares, are as long as the maximum number of lanes alive.
inline unsigned block_size(Mapping const& mapping) {
    constexpr bool emulated = simt::LOCKSTEP_MACHINE::machine == simt::Machine::emulator;
    return emulated ? std::min(mapping.threads_per_block, 256u) : mapping.threads_per_block;
}

// Of the device in use. Few in the emulator, so that tests with few streams give a warp several groups of them.
inline std::uint64_t multiprocessors() {
    if constexpr (simt::LOCKSTEP_MACHINE::machine == simt::Machine::emulator) {
        return 2;
    } else {
        return static_cast<std::uint64_t>(simt::current_device_info().multiprocessors);
    }
}

inline simt::LaunchShape launch_shape(Mapping const& mapping, std::uint64_t streams) {
    std::uint64_t const threads = (streams + mapping.streams_before) * mapping.threads_per_stream;
    // A block is no larger than the work, in full warps, so that a small case does not wait for idle warps.
    std::uint64_t const warps = (threads + 31) / 32;
    unsigned const block = block_size(mapping);
    simt::LaunchShape shape;
    shape.block.x =
        mapping.whole_blocks ? block : static_cast<unsigned>(std::clamp<std::uint64_t>(32 * warps, 32, block));
    shape.grid.x =
        static_cast<unsigned>(mapping.one_block_per_multiprocessor ? std::min(warps, multiprocessors())
                                                                   : (threads + shape.block.x - 1) / shape.block.x);
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
    return p;
}

// A launch: the kernel and its arguments.
template <class Parameters>
struct GridLaunch {
    void (*kernel)(Parameters, unsigned*) = nullptr;
    Mapping mapping;
    Parameters parameters;
    std::shared_ptr<void const> tables;  // device memory that the parameters point to
    // Stores the sets of each stream one after the other, in the same launch; null if there is no such kernel.
    void (*packing_kernel)(Parameters, unsigned*) = nullptr;
};

inline GridParameters& grid_of(GridParameters& parameters) { return parameters; }
template <class Parameters>
GridParameters& grid_of(Parameters& parameters) {
    return parameters.grid;
}

inline bench::WordLayout stored_layout(GridParameters const& p, Mapping const& mapping) {
    unsigned const words = p.length * p.planes * p.height * p.words_per_row;
    return {p.streams, words, threadwise_interleave / mapping.lanes};
}

// Draws the streams of a launch whose kernel stores its sets, a part at a time, and counts their sites.
template <class Parameters>
SetSizes drawn_set_sizes(std::string const& name, GridLaunch<Parameters> launch) {
    GridParameters& p = grid_of(launch.parameters);
    std::uint64_t const first = p.first_unit;
    std::uint64_t const streams = p.streams;
    std::uint64_t const part = std::min(streams, streams_at_a_time(stored_layout(p, launch.mapping)));
    p.streams = part;
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> words(
        static_cast<std::size_t>(bench::LOCKSTEP_MACHINE::words_stored(stored_layout(p, launch.mapping))));
    SetSizes all;
    for (std::uint64_t start = 0; start < streams; start += part) {
        p.first_unit = first + start;
        p.streams = std::min(part, streams - start);
        words.fill_bytes(0xA5);
        simt::LOCKSTEP_MACHINE::launch(name.c_str(), launch.kernel, launch_shape(launch.mapping, p.streams),
                                       simt::Stream{}, launch.parameters, words.data());
        SetSizes const some = stored_set_sizes(p, stored_layout(p, launch.mapping), words.data());
        all.checked += some.checked;
        all.others += some.others;
    }
    return all;
}

template <class Parameters>
class GridCase : public bench::LOCKSTEP_MACHINE::KernelCase<Parameters>, public StreamDrawing {
public:
    // `prepare_stored` returns the launch whose kernel stores the sets; unset if there is none.
    GridCase(std::string const& name, GridLaunch<Parameters> const& launch,
             std::function<GridLaunch<Parameters>()> prepare_stored, Workload const& workload,
             bench::Problem const& problem)
        : bench::LOCKSTEP_MACHINE::KernelCase<Parameters>(problem, workload.words_per_unit(launch.mapping.lanes),
                                                          threadwise_interleave / launch.mapping.lanes,
                                                          kernel_launch(name, launch, problem.units)),
          name_(name),
          launch_(launch),
          prepare_stored_(std::move(prepare_stored)),
          is_stored_(workload.output == Output::stored),
          work_(work_of(workload, problem.units, launch.mapping.lanes, launch.mapping.method)) {}

    bench::Work work() const override { return work_; }

    // Not in the emulator, which would take as long again; a test counts there.
    bench::Metrics metrics() const override {
        constexpr bool on_gpu = simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda;
        if (!on_gpu || !launch_.mapping.draws_k || !prepare_stored_ || this->problem().units == 0)
            return {};
        SetSizes const sizes = set_sizes();
        return {{"sets_checked", sizes.checked}, {"sets_with_another_count", sizes.others}};
    }

    // Of the launch that stores the sets.
    bench::WordLayout layout_of(std::uint64_t streams) const override {
        GridLaunch<Parameters> launch = launch_;
        grid_of(launch.parameters).streams = streams;
        return stored_layout(grid_of(launch.parameters), launch.mapping);
    }
    void draw_streams(std::uint64_t first, std::uint64_t streams, unsigned* words, simt::Stream stream) const override {
        draw_by(launch_.kernel, first, streams, words, stream);
    }
    bool packs() const override { return launch_.packing_kernel != nullptr; }
    void draw_packed(std::uint64_t first, std::uint64_t streams, unsigned* words, simt::Stream stream) const override {
        draw_by(launch_.packing_kernel, first, streams, words, stream);
    }

private:
    void draw_by(void (*kernel)(Parameters, unsigned*), std::uint64_t first, std::uint64_t streams, unsigned* words,
                 simt::Stream stream) const {
        GridLaunch<Parameters> launch = launch_;
        grid_of(launch.parameters).first_unit = first;
        grid_of(launch.parameters).streams = streams;
        simt::LOCKSTEP_MACHINE::launch(name_.c_str(), kernel, launch_shape(launch.mapping, streams), stream,
                                       launch.parameters, words);
    }

    static bench::LOCKSTEP_MACHINE::KernelLaunch<Parameters> kernel_launch(std::string name,
                                                                           GridLaunch<Parameters> const& launch,
                                                                           std::uint64_t streams) {
        return {
            std::move(name), launch.kernel, launch_shape(launch.mapping, streams), {launch.parameters}, launch.tables};
    }

    SetSizes set_sizes() const {
        if (!is_stored_)
            return drawn_set_sizes(name_, prepare_stored_());
        GridLaunch<Parameters> launch = launch_;
        return stored_set_sizes(grid_of(launch.parameters), this->output().layout(), this->output().data());
    }

    std::string name_;
    GridLaunch<Parameters> launch_;
    std::function<GridLaunch<Parameters>()> prepare_stored_;
    bool is_stored_;
    bench::Work work_;
};

template <class T>
simt::LOCKSTEP_MACHINE::Buffer<T> upload_table(std::vector<T> const& values) {
    simt::LOCKSTEP_MACHINE::Buffer<T> buffer(values.size());
    buffer.upload(std::span<T const>(values));
    return buffer;
}

// Calls function.template operator()<Engine, stored>() with the engine and the output of the workload.
template <class Function>
auto with_engine_and_output(Workload const& workload, Function const& function) {
    return with_engine(workload.engine, [&]<class Engine>() {
        return workload.output == Output::stored ? function.template operator()<Engine, true>()
                                                 : function.template operator()<Engine, false>();
    });
}

// The same with the work after a draw: function.template operator()<Engine, stored, Work>(). Work is compiled for
// XORWOW only (work_needs_xorwow).
template <class Function>
auto with_engine_output_and_work(Workload const& workload, Function const& function) {
    using Engine = random::LOCKSTEP_MACHINE::Xorwow;
    bool const stores = workload.output == Output::stored;
    if (workload.after == After::liberties)
        return stores ? function.template operator()<Engine, true, Liberties>()
                      : function.template operator()<Engine, false, Liberties>();
    if (workload.after == After::connected)
        return stores ? function.template operator()<Engine, true, Connected>()
                      : function.template operator()<Engine, false, Connected>();
    return with_engine_and_output(
        workload, [&]<class Any, bool stored>() { return function.template operator()<Any, stored, NoWork>(); });
}

inline std::string work_needs_xorwow(Workload const& workload) {
    return workload.after != After::none && workload.engine != "xorwow" ? "its work after a draw needs engine xorwow"
                                                                        : "";
}

using WhyNot = std::function<std::string(Workload const&)>;

using MakeCase = std::function<std::unique_ptr<bench::Case>(bench::Problem const&)>;

// Returns what makes the cases of a variant; prepare(problem, workload) returns the GridLaunch.
template <class Prepare>
MakeCase case_maker(std::string const& name, Prepare prepare, WhyNot why_not) {
    return [name, prepare, why_not](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        Workload const workload = read_workload(problem.axes);
        auto const launch = prepare(problem, workload);
        using Parameters = decltype(launch.parameters);
        Workload stored = workload;
        stored.output = Output::stored;
        std::function<GridLaunch<Parameters>()> prepare_stored;
        if (!why_not || why_not(stored).empty())
            prepare_stored = [prepare, problem, stored] { return prepare(problem, stored); };
        return std::make_unique<GridCase<Parameters>>(name, launch, prepare_stored, workload, problem);
    };
}

// Returns a variant of this machine.
inline bench::Variant made_variant(std::string const& name, bench::Role role, std::string const& reference,
                                   std::string const& description, MakeCase const& make, WhyNot const& why_not) {
    std::function<std::string(bench::Axes const&)> unsupported_reason;
    if (why_not)
        unsupported_reason = [why_not](bench::Axes const& axes) { return why_not(read_workload(axes)); };
    return bench::LOCKSTEP_MACHINE::make_variant(name, role, reference, description, make, unsupported_reason);
}

// The same; prepare(problem, workload) returns its GridLaunch.
template <class Prepare>
bench::Variant launched_variant(std::string const& name, bench::Role role, std::string const& reference,
                                std::string const& description, Prepare prepare, WhyNot why_not) {
    return made_variant(name, role, reference, description, case_maker(name, prepare, why_not), why_not);
}

// Returns a variant whose kernel needs only GridParameters: `pick` returns the kernel for a workload, `map` its
// mapping.
inline bench::Variant grid_variant(std::string const& name, bench::Role role, std::string const& reference,
                                   std::string const& description, std::function<GridKernel(Workload const&)> pick,
                                   std::function<Mapping(Workload const&)> map, WhyNot why_not = {}) {
    auto const prepare = [pick, map](bench::Problem const& problem, Workload const& workload) {
        return GridLaunch<GridParameters>{pick(workload), map(workload), grid_parameters(problem, workload), nullptr};
    };
    return launched_variant(name, role, reference, description, prepare, why_not);
}

// One warp per stream.
inline Mapping warp_mapping(Workload const& workload) {
    return {32, 32, 256, 0, Method::halving, false, workload.after == After::none};
}

// Check for variants that hold one row per lane.
inline std::string needs_32x32(Workload const& workload) {
    return workload.shape.width > 32 || workload.shape.height > 32 ? "it holds one row of at most 32 sites per lane"
                                                                   : "";
}

// The same for those that work on a row after its draw.
inline std::string needs_32x32_or_xorwow(Workload const& workload) {
    std::string const reason = needs_32x32(workload);
    return reason.empty() ? work_needs_xorwow(workload) : reason;
}

// Check for variants whose arrays have the largest common size.
inline std::string at_most_512_words(Workload const& workload) {
    return workload.shape.words() > 512 ? "its arrays hold at most 512 words" : "";
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
