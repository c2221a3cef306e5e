#pragma once
// The host side of the kernels in which a lane runs a whole replication: points and results in device memory, the
// launch. For `.cu` files, after their kernels.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "common/replications/mm1.hpp"
#include "common/replications/parameters.hpp"
#include "common/replications/pi.hpp"
#include "common/replications/walk.hpp"
#include "common/replications/workload.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/stored_output.hpp"
#include "harness/bench/variant.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/taus88.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

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

// A job's memory on this machine, and what every case answers in the same way.
class JobCase : public bench::Case {
public:
    void reset() override { output_.poison(); }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return output_.results(units);
    }
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override { return work_of(job_); }

protected:
    explicit JobCase(Job const& job)
        : Case(bench::Problem{{}, job.seed, job.first_replication, job.size()}),
          job_(job),
          points_(job.points.size()),
          output_(problem(), words_per_result(job.model)) {
        points_.upload(job_.points);
    }

    Job const& job() const { return job_; }
    unsigned* results() { return output_.data(); }
    JobParameters parameters() {
        return {job_.seed, job_.first_replication, job_.replications, job_.size(), points_.data()};
    }

private:
    Job job_;
    simt::LOCKSTEP_MACHINE::Buffer<Point> points_;
    bench::LOCKSTEP_MACHINE::StoredOutput output_;
};

// (job, lanes a warp that work, results)
using LaneKernel = void (*)(JobParameters, unsigned, unsigned*);

// How replications are dealt out: `lanes` a warp work, each on replications of its own.
struct LaneMapping {
    unsigned lanes = 1;
    unsigned threads_per_block = 128;
    simt::Dim3 grid = {0, 1, 1};  // x 0: a replication a lane that works, at most 2^22 blocks
};

class LaneCase : public JobCase {
public:
    LaneCase(std::string name, LaneKernel kernel, LaneMapping const& mapping, Job const& job)
        : JobCase(job), name_(std::move(name)), kernel_(kernel), lanes_(mapping.lanes) {
        std::uint64_t const a_block = std::uint64_t{(mapping.threads_per_block + 31) / 32} * mapping.lanes;
        shape_.block.x = mapping.threads_per_block;
        shape_.grid = mapping.grid;
        if (shape_.grid.x == 0) {
            shape_.grid.x =
                static_cast<unsigned>(std::min<std::uint64_t>((job.size() + a_block - 1) / a_block, 1u << 22));
        }
    }

    void run(simt::Stream stream) override {
        if (job().size() == 0)
            return;
        simt::LOCKSTEP_MACHINE::launch(name_.c_str(), kernel_, shape_, stream, parameters(), lanes_, results());
    }
    using JobCase::results;
    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::LOCKSTEP_MACHINE::attributes(name_.c_str(), kernel_, shape_)};
    }

private:
    std::string name_;
    LaneKernel kernel_;
    unsigned lanes_;
    simt::LaunchShape shape_;
};

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
    bench::Variant variant;
    variant.name = name;
    variant.role = role;
    variant.machine = simt::LOCKSTEP_MACHINE::machine;
    variant.reference = "sequential";
    variant.description = description;
    variant.make = [make = std::move(make)](bench::Problem const& problem) {
        return make(job_of(problem), problem.axes);
    };
    variant.unsupported_reason = std::move(unsupported_reason);
    return variant;
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
