// The annotation preprocessor.

#include "experiments/replications/weave.hpp"

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void weave(std::string const& input) {
    std::string woven;
    if (!accepts([&] { woven = replications::weave(input, "kernel.cu"); }))
        return;
    std::string const line = "#line 1 \"kernel.cu\"\n";
    require(woven.starts_with(line), "the user's file is named");
    require(std::count(woven.begin(), woven.end(), '\n') == 1 + std::count(input.begin(), input.end(), '\n'),
            "each line stays where it was");
    require(input.find('@') != std::string::npos || woven == line + input,
            "a text without annotations stays what it was");
    require(replications::weave(woven, "kernel.cu") == line + woven, "a woven text has no annotations");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(weave)
