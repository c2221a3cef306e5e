#pragma once
// Running variants of random_grids in tests.

#include <cstdint>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "tests/support/agreement.hpp"

namespace lockstep::random_grids::tests {

using lockstep::tests::test_name;
using lockstep::tests::why_not_here;

inline bench::Experiment const& experiment() {
    static bench::Experiment const made = make_experiment();
    return made;
}

// Under ThreadSanitizer, omits the variants with only one CPU thread.
inline std::vector<bench::Variant const*> variants_under_test() {
    std::vector<bench::Variant const*> variants = lockstep::tests::variants_under_test(experiment());
#if defined(LOCKSTEP_THREAD_SANITIZER)
    std::erase_if(variants, [](bench::Variant const* variant) {
        return variant->machine == bench::Machine::cpu && variant->name != "all_cores";
    });
#endif
    return variants;
}

inline bench::Problem problem(std::string const& grid, std::string const& occupied, std::uint64_t streams,
                              unsigned length, std::string const& output = "stored",
                              std::string const& engine = "xorwow", std::uint64_t seed = 1) {
    return lockstep::tests::problem_at(experiment(),
                                       {{"grid", grid},
                                        {"occupied", occupied},
                                        {"engine", engine},
                                        {"streams", std::to_string(streams)},
                                        {"length", std::to_string(length)},
                                        {"output", output}},
                                       seed);
}

// Results of all units.
inline std::vector<bench::UnitResult> run(bench::Variant const& variant, bench::Problem const& asked) {
    return lockstep::tests::run_all(*variant.make(asked), asked);
}

}  // namespace lockstep::random_grids::tests
