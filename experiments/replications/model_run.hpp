#pragma once
// Runs a compiled model file on a machine.

#include <cstdint>
#include <memory>
#include <vector>

#include "common/replications/model_file/model_file.hpp"
#include "experiments/replications/run_job.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::replications::model_file {

// Replications first .. first + count - 1 of each point.
struct ModelJob {
    std::uint64_t seed = 1;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t warm_up = 0;
    bool common_random_numbers = false;
    bool antithetic = false;
    std::vector<std::vector<std::uint64_t>> parameters;  // bits, by point
    std::uint64_t steps = 0;                             // the largest of a point

    std::uint64_t size() const { return count * parameters.size(); }
};

struct ModelOutcomes {
    std::vector<std::uint64_t> words;  // per replication: status, steps taken, the bits of each measure
    std::vector<double> series;        // recorded: steps x means per replication, 0 after its last step
};

class ModelRunner {
public:
    ModelRunner() = default;
    ModelRunner(ModelRunner const&) = delete;
    ModelRunner& operator=(ModelRunner const&) = delete;
    virtual ~ModelRunner() = default;

    virtual ModelOutcomes run(ModelJob const& job, bool recording) = 0;
};

// Compiles the model for the machine. Throws bench::Error, with the line of the file if the compiler rejects it, or if
// the machine or the model does not have the scheme. `block` is 0 if the scheme chooses it.
std::unique_ptr<ModelRunner> make_model_runner(ModelFile const& file, simt::Machine machine, Scheme const& scheme,
                                               unsigned block);

// How replications are mapped to the lanes of a GPU.
struct LanePlan {
    bool team = false;   // lanes share a replication
    unsigned lanes = 1;  // that share it, or that are active in a warp; a power of two
    unsigned block = 128;

    bool operator==(LanePlan const&) const = default;
};

inline constexpr unsigned max_team = 1024;

// Returns the plan of a scheme for `replications` replications of `steps` steps. `auto` shares replications if the
// model composes and there are fewer of them than resident threads; otherwise it gives each a warp, as long as the
// device has that many warps, then 2, 4, .. 32 replications per warp. Throws bench::Error if the model does not have
// the scheme.
LanePlan lane_plan(Scheme const& scheme, unsigned block, bool composes, std::uint64_t replications,
                   std::uint64_t steps);

}  // namespace lockstep::replications::model_file
