// sweeps.json.

#include "harness/bench/sweep.hpp"

#include "harness/bench/pattern.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void sweeps(std::string const& input) {
    std::vector<bench::Sweep> sweeps;
    if (!accepts([&] { sweeps = bench::parse_sweeps(input, "sweeps.json"); }))
        return;
    for (bench::Sweep const& sweep : sweeps) {
        bench::Pattern const variants(sweep.variants, "variants");
        bench::Pattern const except(sweep.except, "except");
        require(sweep.repetitions >= 2 && sweep.repetitions <= 100000, "repetitions have limits");
        for (auto const& [axis, values] : sweep.axes)
            require(!values.empty(), "an axis has values");
    }
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(sweeps)
