#pragma once
// The options of a sub-command. CLI11 stands behind them in one file: its headers take seconds to compile.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::cli {

// Thrown where the user asked for help; `text` is it.
struct HelpRequested {
    std::string text;
};

// What is added refers to a variable of the caller's, which parse() sets where the user gave it. What it holds before
// is the default and stands in --help, but for an empty text, 0 and the largest number, which mean "not given".
class CommandLine {
public:
    // Of `lockstep command`.
    CommandLine(std::string command, std::string const& description);
    ~CommandLine();
    CommandLine(CommandLine const&) = delete;
    CommandLine& operator=(CommandLine const&) = delete;

    // Words without a dash: one that must be there, or as many as there are.
    void add_argument(std::string const& name, std::string& value, std::string const& help);
    void add_arguments(std::string const& name, std::vector<std::string>& values, std::string const& help);

    // `names` as "--seed" or "-o,--output". Negative numbers are refused where the variable has no sign.
    void add_option(std::string const& names, std::string& value, std::string const& help);
    void add_option(std::string const& names, std::uint64_t& value, std::string const& help);
    void add_option(std::string const& names, unsigned& value, std::string const& help);
    void add_option(std::string const& names, double& value, std::string const& help);
    void add_flag(std::string const& names, bool& value, std::string const& help);
    // Bytes, as 1000000 or 1GB.
    void add_size(std::string const& names, std::uint64_t& value, std::string const& help);

    // Of what was added: that it must be given, and that not both of two may be.
    void require(std::string const& name);
    void exclude(std::string const& name, std::string const& other);

    // argv[0] is the sub-command. Throws HelpRequested, or bench::Error in one line.
    void parse(int argc, char const* const* argv);

    // Whether the user gave it.
    bool given(std::string const& name) const;

private:
    struct Parser;
    std::string command_;
    std::unique_ptr<Parser> parser_;
};

}  // namespace lockstep::cli
