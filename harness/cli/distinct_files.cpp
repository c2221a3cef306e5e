#include "harness/cli/distinct_files.hpp"

#include <filesystem>
#include <system_error>

#include "harness/bench/error.hpp"

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

bool is_left_out(std::string const& name) {
    std::error_code ignored;
    return name.empty() || name == "-" || (fs::exists(name, ignored) && !fs::is_regular_file(name, ignored));
}

// Also if one is a link to the other, and if neither exists yet.
bool are_one_file(std::string const& a, std::string const& b) {
    std::error_code missing;
    if (fs::equivalent(a, b, missing))
        return true;
    std::error_code error;
    fs::path const first = fs::weakly_canonical(a, error);
    return !error && first == fs::weakly_canonical(b, error) && !error;
}

}  // namespace

void require_distinct_files(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (is_left_out(outputs[i]))
            continue;
        for (std::string const& input : inputs) {
            std::error_code ignored;
            if (fs::is_regular_file(input, ignored) && are_one_file(input, outputs[i]))
                throw bench::Error("cannot write " + outputs[i], "it is an input of this command",
                                   "Name another file.");
        }
        for (std::size_t other = 0; other < i; ++other) {
            if (!is_left_out(outputs[other]) && are_one_file(outputs[other], outputs[i]))
                throw bench::Error("cannot write two results to " + outputs[i], "one of them would be lost",
                                   "Name two files.");
        }
    }
}

}  // namespace lockstep::cli
