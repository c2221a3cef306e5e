#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "experiments/replications/command.hpp"
#include "experiments/replications/weave.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/distinct_files.hpp"

namespace lockstep::replications {

namespace {

struct WeaveRequest {
    std::vector<std::string> inputs;
    std::string output;
    std::string dependencies;
    std::vector<std::string> advice;
    bool check = false;
    bool diff = false;
};

bool is_standard(std::string const& path) { return path.empty() || path == bench::standard_input; }

WeaveRequest read_weave_request(int argc, char const* const* argv) {
    WeaveRequest request;
    cli::CommandLine app("weave",
                         "Turn annotations of CUDA kernels, such as // @warp, into code: warp-level parallelism, code "
                         "before and after a kernel, counters and timers");
    app.add_arguments("input", request.inputs, "Files of annotated CUDA kernels; - is standard input");
    app.add_option("-o,--output", request.output,
                   "Write the woven file here instead of standard output (-); into a folder if there are several "
                   "inputs, or its name ends with /");
    app.add_option("--advise", request.advice,
                   "PATTERN=ANNOTATION annotates all kernels whose names match, such as wlp_.*=@warp; may be repeated");
    app.add_option("--dependencies", request.dependencies, "Write the output's dependencies to this file, for make");
    app.add_flag("--check", request.check, "Write nothing; end with code 1 if an output is not up to date");
    app.add_flag("--diff", request.diff, "Print the lines that weaving changes instead of the woven file");
    app.add_max_input();
    app.parse(argc, argv);
    if (request.inputs.empty())
        throw bench::Error("no input", "a file of annotated kernels is expected", "Try - for standard input.");
    if (request.inputs.size() > 1 && is_standard(request.output) && !request.diff)
        throw bench::Error("several inputs and one output", "each input has an output of its own",
                           "Name a folder with -o.");
    if (request.diff && !request.output.empty())
        throw bench::Error("--diff and -o", "--diff prints to standard output and writes no woven file",
                           "Give one of them.");
    if (request.check && (is_standard(request.output) || request.diff))
        throw bench::Error("nothing to check", "--check compares the file of -o", "Give -o, without --diff.");
    if (!request.dependencies.empty() && (is_standard(request.output) || request.diff))
        throw bench::Error("no output for --dependencies", "the file names the output of -o", "Give -o.");
    return request;
}

std::vector<Advice> advice_of(std::vector<std::string> const& texts) {
    std::vector<Advice> all;
    for (std::string const& text : texts) {
        std::size_t const at = text.find("=@");
        if (at == text.npos || at == 0)
            throw bench::Error("invalid --advise " + text, "it must be PATTERN=@ANNOTATION", "Try wlp_.*=@warp.");
        all.push_back({text.substr(0, at), text.substr(at + 1)});
    }
    return all;
}

bool is_folder(WeaveRequest const& request) { return request.inputs.size() > 1 || request.output.ends_with('/'); }

// In a folder, a file of the input's name.
std::string output_for(WeaveRequest const& request, std::string const& input) {
    if (is_standard(request.output) || !is_folder(request))
        return request.output;
    if (input == bench::standard_input) {
        throw bench::Error("no name for an output in " + request.output, "standard input has none",
                           "Name the woven file with -o, or the input.");
    }
    return (std::filesystem::path(request.output) / std::filesystem::path(input).filename()).string();
}

void check_outputs(WeaveRequest const& request) {
    std::set<std::string> outputs;
    for (std::string const& input : request.inputs) {
        std::string const output = output_for(request, input);
        std::error_code ignored;
        if (!is_standard(output) && std::filesystem::is_directory(output, ignored)) {
            throw bench::Error("cannot write " + output, "it is a folder",
                               "Name a file, or end the folder's name with / to write into it.");
        }
        if (!is_standard(output) && std::filesystem::equivalent(input, output, ignored)) {
            throw bench::Error("cannot weave " + input + " into itself", "the annotated source would be lost",
                               "Name another file with -o.");
        }
        if (!is_standard(output) && !outputs.insert(output).second)
            throw bench::Error("two inputs have the output " + output, "their names are equal", "Weave them apart.");
        cli::require_distinct_files({}, {output, request.dependencies});
    }
    cli::require_distinct_files(request.inputs, {request.dependencies});
}

// A path in a makefile.
std::string make_word(std::string const& path) {
    std::string word;
    for (char const c : path) {
        if (c == ' ' || c == '#' || c == '\\')
            word += '\\';
        if (c == '$')
            word += '$';
        word += c;
    }
    return word;
}

// Says which advice applied to no kernel of all inputs. It is no error: a build gives the advice for several files to
// each of them.
void warn_of_idle_advice(std::vector<Advice> const& advice, Matches const& matches) {
    std::string kernels;
    for (std::string const& kernel : matches.kernels)
        kernels += (kernels.empty() ? "the kernels are " : ", ") + kernel;
    for (std::size_t number = 0; number < advice.size(); ++number) {
        if (matches.advice.contains(number))
            continue;
        std::fprintf(stderr, "lockstep: --advise %s matches no kernel (%s)\n", advice[number].pattern.c_str(),
                     kernels.empty() ? "there are none" : kernels.c_str());
    }
}

void print_text(std::string const& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Returns false if the output is to be checked and is not up to date.
bool finish(WeaveRequest const& request, std::string const& output, std::string const& woven) {
    if (request.check) {
        bool const same = std::filesystem::is_regular_file(output) && bench::read_file(output) == woven;
        if (!same)
            std::printf("%s is not up to date\n", output.c_str());
        return same;
    }
    if (is_standard(output))
        print_text(woven);
    else
        bench::write_file_atomically(output, woven);
    return true;
}

}  // namespace

int weave_command(int argc, char const* const* argv) {
    WeaveRequest const request = read_weave_request(argc, argv);
    check_outputs(request);
    std::vector<Advice> const advice = advice_of(request.advice);
    // All files are read and woven before the first is written.
    std::vector<std::string> results;
    Matches matches;
    for (std::string const& input : request.inputs) {
        std::string const name = input == bench::standard_input ? "<stdin>" : input;
        std::string const text = bench::read_input(input, bench::Input::annotated_source);
        std::string woven = weave(text, name, advice, &matches);
        results.push_back(request.diff ? woven_diff(text, woven, name) : std::move(woven));
    }
    warn_of_idle_advice(advice, matches);
    bool all = true;
    std::string dependencies;
    for (std::size_t i = 0; i < results.size(); ++i) {
        std::string const output = output_for(request, request.inputs[i]);
        all &= finish(request, request.diff ? "" : output, results[i]);
        dependencies += make_word(output) + ": " + make_word(request.inputs[i]) + "\n";
    }
    if (!request.dependencies.empty() && !request.check)
        bench::write_file_atomically(request.dependencies, dependencies);
    return all ? 0 : 1;
}

}  // namespace lockstep::replications
