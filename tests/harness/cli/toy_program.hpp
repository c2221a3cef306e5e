#pragma once
// Calls the program with the toy experiment.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::cli {

struct Outcome {
    int code = 0;
    std::string out;
    std::string err;
};

inline Program toy_program() {
    Program program;
    program.experiments = {toy::make_toy()};
    program.source_directory = "tests/harness/cli/tree";
    program.commands = {{"greet", "a command of the test", [](int argc, char const* const* argv) {
                             EXPECT_STREQ(argv[0], "greet");
                             return argc == 1 ? 0 : 7;
                         }}};
    return program;
}

inline Outcome run(Program const& program, std::vector<std::string> const& words) {
    std::vector<char const*> argv = {"lockstep"};
    for (std::string const& word : words)
        argv.push_back(word.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome;
    outcome.code = run_program(program, static_cast<int>(argv.size()), argv.data());
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.err = testing::internal::GetCapturedStderr();
    return outcome;
}

inline Outcome run(std::vector<std::string> const& words) { return run(toy_program(), words); }

// Expects exit code 2, an empty standard output and this one line on standard error.
inline void expect_mistake(std::vector<std::string> const& words, std::string const& line) {
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << line;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "lockstep: " + line + "\n");
}

}  // namespace lockstep::cli
