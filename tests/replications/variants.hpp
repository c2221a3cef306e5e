#pragma once
// Running variants of replications in tests.

#include <cstdint>
#include <string>
#include <vector>

#include "common/replications/schemes.hpp"
#include "common/replications/workload.hpp"
#include "experiments/replications/experiment.hpp"
#include "reference_cpu/replications/models.hpp"
#include "tests/support/agreement.hpp"

namespace lockstep::replications::tests {

using lockstep::tests::test_name;
using lockstep::tests::why_not_here;

// The schemes of the tested machine that runs kernels.
std::unique_ptr<bench::Case> make_threads(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_macros(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_woven(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_advised(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_policy(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_cooperative(Job const& job, Team const& team);

inline bench::Experiment const& experiment() {
    static bench::Experiment const made = make_experiment();
    return made;
}

inline std::vector<bench::Variant const*> variants_under_test() {
    return lockstep::tests::variants_under_test(experiment());
}

inline bench::Problem problem(std::string const& model, std::uint64_t replications, std::uint64_t items,
                              std::string const& engine = "taus88", unsigned block = 0, unsigned lanes = 0) {
    std::string const size = std::to_string(items);
    return lockstep::tests::problem_at(experiment(), {{"model", model},
                                                      {"replications", std::to_string(replications)},
                                                      {"draws", size},
                                                      {"clients", size},
                                                      {"steps", size},
                                                      {"engine", engine},
                                                      {"block", std::to_string(block)},
                                                      {"lanes", std::to_string(lanes)}});
}

// A job of one point with the defaults.
inline Job job(Model model, std::uint64_t replications, std::uint64_t items, Engine engine = Engine::taus88) {
    return {model, engine, 1, 0, replications, {make_point(model, items, 0.75, 30)}};
}

inline std::vector<bench::UnitResult> expected(Job const& job) {
    std::vector<bench::UnitResult> results;
    for (std::uint64_t i = 0; i < job.size(); ++i)
        results.push_back(run_replication(job, i));
    return results;
}

// Results of all replications.
inline std::vector<bench::UnitResult> run(bench::Case& made, Job const& job) {
    return lockstep::tests::run_all(made, {{}, job.seed, job.first_replication, job.size()});
}

inline constexpr Model models[] = {Model::pi, Model::mm1, Model::walk};

}  // namespace lockstep::replications::tests
