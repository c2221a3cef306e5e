#include <cstdio>
#include <filesystem>
#include <string>

#include "experiments/replications/command.hpp"
#include "experiments/replications/weave.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::replications {

int weave_command(int argc, char const* const* argv) {
    std::string input;
    std::string output;
    cli::CommandLine app(
        "weave", "Turn the annotations // @warp, // @warp: begin and // @warp: end into warp-level parallelism");
    app.add_argument("input", input, "A file of annotated CUDA kernels; - is standard input");
    app.add_option("-o,--output", output, "Write the woven file here instead of standard output (-)");
    app.add_max_input();
    app.parse(argc, argv);
    bool const is_stream = input == bench::standard_input;
    std::error_code ignored;
    if (!output.empty() && std::filesystem::equivalent(input, output, ignored)) {
        throw bench::Error("cannot weave " + input + " into itself", "the annotated source would be lost",
                           "Name another file with -o.");
    }
    std::string const woven =
        weave(bench::read_input(input, bench::Input::annotated_source), is_stream ? "<stdin>" : input);
    if (output.empty() || output == "-") {
        std::fwrite(woven.data(), 1, woven.size(), stdout);
    } else {
        bench::write_file_atomically(output, woven);
    }
    return 0;
}

}  // namespace lockstep::replications
