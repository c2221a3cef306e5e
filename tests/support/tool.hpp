#pragma once
// Calls a sub-command as the program does and captures its output.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::tests {

using Words = std::vector<std::string>;

struct Ran {
    int code = -1;  // 2 for a bench::Error
    std::string out;
    std::string err;  // includes the error's message
};

class Tool {
public:
    Tool(std::string name, cli::CommandFunction function) : name_(std::move(name)), function_(std::move(function)) {}

    Ran run(Words words) const;

    // Returns the standard output of a call that must succeed.
    std::string output_of(Words const& words) const;

    // Returns what --help prints.
    std::string help() const;

    // Returns the one-line error message of a call that must fail with code 2 and print nothing else; returns "no
    // error" if the call succeeds.
    std::string error_of(Words const& words) const;

private:
    std::string name_;
    cli::CommandFunction function_;
};

// A fixture for tests of a tool, with a temporary folder.
class ToolTest : public testing::Test {
protected:
    ToolTest(std::string name, cli::CommandFunction function) : tool(std::move(name), std::move(function)) {}

    // Returns the path of a file in the folder. If `text` is not empty, writes it to the file.
    std::string file(std::string const& name, std::string const& text = "") const;

    Ran run(Words const& words) const { return tool.run(words); }
    std::string output_of(Words const& words) const { return tool.output_of(words); }
    std::string help() const { return tool.help(); }
    std::string error_of(Words const& words) const { return tool.error_of(words); }

    // Returns the file that the tool writes with --csv.
    std::string csv_of(Words words) const;

    Tool const tool;

private:
    TemporaryFolder folder_;
};

// Returns the concatenation of both.
Words joined(Words first, Words const& second);

}  // namespace lockstep::tests
