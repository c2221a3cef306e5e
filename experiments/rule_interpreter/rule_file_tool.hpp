#pragma once
// `lockstep interpret --rules-file`: rules of the user's own (rule_file_run.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::rule_interpreter::rule_file {

// Options that only rule files have.
struct Request {
    std::string file;
    std::vector<std::string> settings;  // NAME=VALUE
    std::vector<std::string> columns;   // NAME=FILE
    std::vector<std::string> out;       // NAME=FILE
    bool check = false;
};

// With those that they share with the built-in rules.
struct FullRequest {
    Request own;
    cli::AxisTexts axes;
    std::string machine;
    std::string variant;
    std::uint64_t seed = 1;
    std::string csv;
    bool json = false;
};

void define_options(cli::CommandLine& app, Request& request);

// Throws bench::Error for options that do not go together.
void check_options(cli::CommandLine const& app, Request const& request);

// Runs the rules and prints the outcome. Throws bench::Error for a user's mistake, and if --check finds a difference.
int interpret(FullRequest const& request);

}  // namespace lockstep::rule_interpreter::rule_file
