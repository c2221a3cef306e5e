#pragma once
// The options of a sub-command. Only one file includes CLI11, because its headers take seconds to compile.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::cli {

// Thrown if the user requests help; `text` is the help text.
struct HelpRequested {
    std::string text;
};

// Each option refers to a variable of the caller, which parse() sets if the user gives the option. The variable's
// initial value is the default and appears in --help, except for an empty text, 0 and the largest number, which mean
// "not given".
class CommandLine {
public:
    // For `lockstep COMMAND`.
    CommandLine(std::string command, std::string const& description);
    ~CommandLine();
    CommandLine(CommandLine const&) = delete;
    CommandLine& operator=(CommandLine const&) = delete;

    // Positional arguments: exactly one (required), at most one, or any number.
    void add_argument(std::string const& name, std::string& value, std::string const& help);
    void add_optional_argument(std::string const& name, std::string& value, std::string const& help);
    void add_arguments(std::string const& name, std::vector<std::string>& values, std::string const& help);

    // `names` as "--seed" or "-o,--output". Negative numbers are rejected. Whole numbers may have an exponent: 1e9.
    void add_option(std::string const& names, std::string& value, std::string const& help);
    void add_option(std::string const& names, std::uint64_t& value, std::string const& help);
    void add_option(std::string const& names, unsigned& value, std::string const& help);
    void add_option(std::string const& names, double& value, std::string const& help);
    // Can be given several times, with one value each.
    void add_option(std::string const& names, std::vector<std::string>& values, std::string const& help);
    void add_flag(std::string const& names, bool& value, std::string const& help);
    // Bytes, as 1000000, 1e6 or 1GB.
    void add_size(std::string const& names, std::uint64_t& value, std::string const& help);

    // --timeout, which ends the command's work early; 0: no limit.
    void add_timeout(double& seconds);

    // --json: the command prints one JSON document, `help` says of what. If the command fails with an error, the
    // document is {"error": "..."}.
    void add_json(bool& value, std::string const& help);

    // Options that follow appear in --help below this title, which ends with a colon there.
    void begin_group(std::string title);

    // Text after the options in --help.
    void add_footer(std::string const& text);

    // --max-input, for a command that reads a file that the user names.
    void add_max_input();

    // Makes an added option mandatory, or makes two added options mutually exclusive.
    void require(std::string const& name);
    void exclude(std::string const& name, std::string const& other);

    // Begins the command's inputs too (bench::begin_inputs). argv[0] is the sub-command. Throws HelpRequested, or
    // bench::Error with a one-line message.
    void parse(int argc, char const* const* argv);

    // Returns true if the user gave the option.
    bool given(std::string const& name) const;

private:
    struct Parser;
    void begin_inputs() const;
    void require_values() const;

    std::string command_;
    std::string group_;
    std::uint64_t max_input_ = 0;
    std::unique_ptr<Parser> parser_;
};

// For commands that mpirun may start: throws bench::Error if `path` is standard input and there are several processes.
void check_standard_input(std::string const& path);

}  // namespace lockstep::cli
