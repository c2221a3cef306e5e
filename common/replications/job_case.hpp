#pragma once
// The host side of the kernels in which a lane runs a whole replication: points and results in device memory, the
// launch. For `.cu` files, after their kernels.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

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

// Calls function.template operator()<Model, Engine>() for what the job names.
template <class Function>
auto with_model_and_engine(Model model, Engine engine, Function const& function) {
    using Taus88 = random::LOCKSTEP_MACHINE::Taus88;
    using Philox = random::LOCKSTEP_MACHINE::Philox4x32<10>;
    auto const with_engine = [&]<class M>() {
        return engine == Engine::taus88 ? function.template operator()<M, Taus88>()
                                        : function.template operator()<M, Philox>();
    };
    return model == Model::pi    ? with_engine.template operator()<Pi>()
           : model == Model::mm1 ? with_engine.template operator()<Mm1>()
                                 : with_engine.template operator()<Walk>();
}

// A job in one launch of a kernel that gets the job, then `Parameters`, then the results.
template <class... Parameters>
class JobCase : public bench::LOCKSTEP_MACHINE::KernelCase<JobParameters, Parameters...> {
public:
    using Kernel = void (*)(JobParameters, Parameters..., unsigned*);

    // `memory` is what the parameters point to.
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
        std::shared_ptr<void const> of_parameters;
    };

    static bench::LOCKSTEP_MACHINE::KernelLaunch<JobParameters, Parameters...> kernel_launch(
        Job const& job, std::string name, Kernel kernel, simt::LaunchShape const& shape,
        std::tuple<Parameters...> const& parameters, std::shared_ptr<void const> memory) {
        simt::LOCKSTEP_MACHINE::Buffer<Point> points(job.points.size());
        points.upload(job.points);
        JobParameters const of_job = {job.seed, job.first_replication, job.replications, job.size(), points.data()};
        return {std::move(name), kernel, shape, std::tuple_cat(std::tuple(of_job), parameters),
                std::make_shared<Memory>(Memory{std::move(points), std::move(memory)})};
    }

    bench::Work work_;
};

// (job, lanes a warp that work, results)
using LaneKernel = void (*)(JobParameters, unsigned, unsigned*);

// How replications are dealt out: `lanes` a warp work, each on replications of its own.
struct LaneMapping {
    unsigned lanes = 1;
    unsigned threads_per_block = 128;
    simt::Dim3 grid = {0, 1, 1};  // x 0: a replication a lane that works, at most 2^22 blocks
};

inline std::unique_ptr<bench::Case> make_lane_case(std::string name, LaneKernel kernel, LaneMapping const& mapping,
                                                   Job const& job) {
    std::uint64_t const a_block = std::uint64_t{(mapping.threads_per_block + 31) / 32} * mapping.lanes;
    simt::LaunchShape shape;
    shape.block.x = mapping.threads_per_block;
    shape.grid = mapping.grid;
    if (shape.grid.x == 0)
        shape.grid.x = static_cast<unsigned>(std::min<std::uint64_t>((job.size() + a_block - 1) / a_block, 1u << 22));
    return std::make_unique<JobCase<unsigned>>(job, std::move(name), kernel, shape, std::tuple(mapping.lanes));
}

// Threads a block from the axis `block`, or `otherwise` where it is 0.
inline unsigned block_of(bench::Axes const& axes, unsigned otherwise) {
    std::int64_t const block = axes.integer("block");
    return block == 0 ? otherwise : static_cast<unsigned>(block);
}

// A variant of this machine: `make` gives the case of a job.
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
