#pragma once
// The host side of the kernels in which one lane runs one replication: allocates the points and results in device
// memory and launches the kernel. Include it in `.cu` files, after their kernels.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/replications/branches.hpp"
#include "common/replications/chunk_walk.hpp"
#include "common/replications/mm1.hpp"
#include "common/replications/parameters.hpp"
#include "common/replications/pi.hpp"
#include "common/replications/walk.hpp"
#include "common/replications/workload.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/kernel_case.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/taus88.hpp"
#include "harness/simt/buffer.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

// Calls function.template operator()<Model, Engine>() with the types that `model` and `engine` select.
template <class Function>
auto with_model_and_engine(Model model, Engine engine, Function const& function) {
    using Taus88 = random::LOCKSTEP_MACHINE::Taus88;
    using Philox = random::LOCKSTEP_MACHINE::Philox4x32<10>;
    auto const with_engine = [&]<class M>() {
        return engine == Engine::taus88 ? function.template operator()<M, Taus88>()
                                        : function.template operator()<M, Philox>();
    };
    switch (model) {
        case Model::pi:
            return with_engine.template operator()<Pi>();
        case Model::mm1:
            return with_engine.template operator()<Mm1>();
        case Model::walk:
            return with_engine.template operator()<Walk>();
        case Model::chunk_walk:
            return with_engine.template operator()<ChunkWalk>();
        default:
            return with_engine.template operator()<Branches>();
    }
}

// Runs a job in one launch of a kernel whose arguments are the job, `Parameters` and the results.
template <class... Parameters>
class JobCase : public bench::LOCKSTEP_MACHINE::KernelCase<JobParameters, Parameters...> {
public:
    using Kernel = void (*)(JobParameters, Parameters..., unsigned*);

    // `memory` owns what the parameters point to.
    JobCase(Job const& job, std::string name, Kernel kernel, simt::LaunchShape const& shape,
            std::tuple<Parameters...> const& parameters, std::shared_ptr<void const> memory = nullptr)
        : bench::LOCKSTEP_MACHINE::KernelCase<JobParameters, Parameters...>(
              {{}, job.seed, job.first_replication, job.size()}, words_per_result(job.model), 1,
              kernel_launch(job, std::move(name), kernel, shape, parameters, std::move(memory))),
          work_(work_of(job)) {}

    bench::Work work() const override { return work_; }

private:
    struct Memory {
        simt::LOCKSTEP_MACHINE::Buffer<Point> points;
        std::unique_ptr<simt::LOCKSTEP_MACHINE::Buffer<unsigned>> words;  // Point::memory
        std::shared_ptr<void const> of_parameters;
    };

    static bench::LOCKSTEP_MACHINE::KernelLaunch<JobParameters, Parameters...> kernel_launch(
        Job const& job, std::string name, Kernel kernel, simt::LaunchShape const& shape,
        std::tuple<Parameters...> const& parameters, std::shared_ptr<void const> memory) {
        simt::LOCKSTEP_MACHINE::Buffer<Point> points(job.points.size());
        std::unique_ptr<simt::LOCKSTEP_MACHINE::Buffer<unsigned>> words = memory_of(job);
        std::vector<Point> with_memory = job.points;
        for (Point& point : with_memory)
            point.memory = words == nullptr ? nullptr : words->data();
        points.upload(with_memory);
        JobParameters const of_job = {job.seed, job.first_replication, job.replications, job.size(), points.data()};
        return {std::move(name), kernel, shape, std::tuple_cat(std::tuple(of_job), parameters),
                std::make_shared<Memory>(Memory{std::move(points), std::move(words), std::move(memory)})};
    }

    // The words that a job reads, if it reads any.
    static std::unique_ptr<simt::LOCKSTEP_MACHINE::Buffer<unsigned>> memory_of(Job const& job) {
        if (std::all_of(job.points.begin(), job.points.end(), [](Point const& point) { return point.loads == 0; }))
            return nullptr;
        std::vector<unsigned> words(std::size_t{1} << memory_bits);
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = memory_word(static_cast<unsigned>(i));
        auto buffer = std::make_unique<simt::LOCKSTEP_MACHINE::Buffer<unsigned>>(words.size());
        buffer->upload(words);
        return buffer;
    }

    bench::Work work_;
};

// (job, number of active lanes per warp, results)
using LaneKernel = void (*)(JobParameters, unsigned, unsigned*);

// How replications are distributed: `lanes` lanes of each warp are active, and each runs its own replications.
struct LaneMapping {
    unsigned lanes = 1;
    unsigned threads_per_block = 128;
    simt::Dim3 grid = {0, 1, 1};  // x == 0: one replication per active lane, at most 2^22 blocks
};

inline std::unique_ptr<bench::Case> make_lane_case(std::string name, LaneKernel kernel, LaneMapping const& mapping,
                                                   Job const& job) {
    std::uint64_t const per_block = std::uint64_t{(mapping.threads_per_block + 31) / 32} * mapping.lanes;
    simt::LaunchShape shape;
    shape.block.x = mapping.threads_per_block;
    shape.grid = mapping.grid;
    if (shape.grid.x == 0)
        shape.grid.x =
            static_cast<unsigned>(std::min<std::uint64_t>((job.size() + per_block - 1) / per_block, 1u << 22));
    return std::make_unique<JobCase<unsigned>>(job, std::move(name), kernel, shape, std::tuple(mapping.lanes));
}

// Threads per block: the axis `block`, or `otherwise` if it is 0.
inline unsigned block_of(bench::Axes const& axes, unsigned otherwise) {
    std::int64_t const block = axes.integer("block");
    return block == 0 ? otherwise : static_cast<unsigned>(block);
}

// A variant on this machine; `make` creates the case for a job.
inline bench::Variant job_variant(
    std::string const& name, bench::Role role, std::string const& description,
    std::function<std::unique_ptr<bench::Case>(Job const&, bench::Axes const&)> make,
    std::function<std::string(bench::Axes const&)> unsupported_reason = [](bench::Axes const&) {
        return std::string();
    }) {
    return bench::LOCKSTEP_MACHINE::make_variant(
        name, role, "sequential", description,
        [make = std::move(make)](bench::Problem const& problem) { return make(job_of(problem), problem.axes); },
        std::move(unsupported_reason));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
