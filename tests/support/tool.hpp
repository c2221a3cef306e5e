#pragma once
// A sub-command called as the program calls it, and what it says.

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
    std::string err;  // with the error's text
};

class Tool {
public:
    Tool(std::string name, cli::CommandFunction function) : name_(std::move(name)), function_(std::move(function)) {}

    Ran run(Words words) const;

    // Of a call that must succeed.
    std::string output_of(Words const& words) const;

    // The line of a user's mistake, which prints nothing else; "no error" where there is none.
    std::string error_of(Words const& words) const;

private:
    std::string name_;
    cli::CommandFunction function_;
};

// A test of a tool, with a folder.
class ToolTest : public testing::Test {
protected:
    ToolTest(std::string name, cli::CommandFunction function) : tool(std::move(name), std::move(function)) {}

    // The path of a file in the folder; with `text` it is written.
    std::string file(std::string const& name, std::string const& text = "") const;

    Ran run(Words const& words) const { return tool.run(words); }
    std::string output_of(Words const& words) const { return tool.output_of(words); }
    std::string error_of(Words const& words) const { return tool.error_of(words); }

    // What the tool writes with --csv.
    std::string csv_of(Words words) const;

    Tool const tool;

private:
    TemporaryFolder folder_;
};

// Both, one after the other.
Words joined(Words first, Words const& second);

}  // namespace lockstep::tests
