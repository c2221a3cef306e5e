// Model files, as `replicate --model` reads them before it compiles them.

#include <algorithm>

#include "common/replications/model_file/arguments.hpp"
#include "common/replications/model_file/model_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void model(std::string const& input) {
    using namespace replications::model_file;
    ModelFile file;
    if (!accepts([&] { file = parse_model_file(input, "own.hpp"); }))
        return;
    require(file.steps_parameter() < file.parameters.size(), "a model has a number of steps");
    require(!file.measure_names().empty() && file.means.size() <= max_means && file.results.size() <= max_results,
            "a model has measures");
    require(file.streams.size() < max_streams, "streams are bounded");
    require(std::count(file.code.begin(), file.code.end(), '\n') == std::count(input.begin(), input.end(), '\n'),
            "the code has the lines of the file");
    require(!(file.composes && file.finishes), "lanes share a number of steps that is known");
    accepts([&] { jit::parameter_bits(file.parameters, file.path, {}); });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(model)
