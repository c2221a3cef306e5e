// Dispatches to the sub-commands. This is the only place that turns an error into a message and an exit code.

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/failure.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/process.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::cli {

int list_command(Program const& program, int const argc, char const* const* const argv) {
    return list_command(program, parse_list(argc, argv), std::cout);
}

int devices_command(Program const& program, int const argc, char const* const* const argv) {
    return devices_command(program, parse_devices(argc, argv), std::cout);
}

int run_command(Program const& program, int const argc, char const* const* const argv) {
    std::vector<char const*> whole = {"lockstep"};
    whole.insert(whole.end(), argv, argv + argc);
    RunArguments const arguments = parse_run(program, argc, argv);
    return run_command(program, arguments, static_cast<int>(whole.size()), whole.data());
}

int merge_command(Program const&, int const argc, char const* const* const argv) {
    return merge_command(parse_merge(argc, argv), std::cout);
}

int migrate_command(Program const& program, int const argc, char const* const* const argv) {
    return migrate_command(program, parse_migrate(argc, argv), std::cout);
}

namespace {

std::vector<Command> all_commands(Program const& program) {
    std::vector<Command> commands = builtin_commands(program);
    commands.insert(commands.end(), program.commands.begin(), program.commands.end());
    return commands;
}

void print_usage(std::vector<Command> const& commands, std::ostream& out) {
    std::size_t width = 0;
    for (Command const& command : commands)
        width = std::max(width, command.name.size());
    out << "usage: lockstep COMMAND ...   (see lockstep COMMAND --help)\n";
    for (Command const& command : commands) {
        out << "  " << command.name << std::string(width + 2 - command.name.size(), ' ') << command.summary << "\n";
    }
}

int dispatch(Program const& program, int const argc, char const* const* const argv) {
    std::vector<Command> const commands = all_commands(program);
    std::string const name = argc > 1 ? argv[1] : "--help";
    if (name == "--help" || name == "-h" || name == "help") {
        print_usage(commands, std::cout);
        return 0;
    }
    if (name == "--version") {
        std::cout << "lockstep " << LOCKSTEP_VERSION << "\n";
        return 0;
    }
    std::vector<std::string> names;
    for (Command const& command : commands) {
        names.push_back(command.name);
        if (command.name != name)
            continue;
        if (ranks::count() > 1 && !command.takes_ranks) {
            throw bench::Error("lockstep " + name + " runs in one process",
                               std::to_string(ranks::count()) + " ranks were started", "leave out mpirun");
        }
        return command.function(argc - 1, argv + 1);
    }
    throw bench::Error("unknown command " + name, "lockstep has no such command", bench::suggestion(name, names));
}

// dispatch(), with the exceptions of libraries as errors that a user can correct.
int dispatch_within_limits(Program const& program, int const argc, char const* const* const argv) {
    try {
        return dispatch(program, argc, argv);
    } catch (HelpRequested const& help) {
        std::cout << wrapped_lines(help.text, terminal_of(STDOUT_FILENO).width);
        return 0;
    } catch (std::filesystem::filesystem_error const& error) {
        throw bench::Error("cannot use " + error.path1().string(), error.code().message(), "choose another path");
    } catch (nlohmann::json::exception const&) {
        throw bench::Error("cannot read or write JSON", "a text is not UTF-8 or a value has another type",
                           "use names and files of UTF-8 text");
    } catch (std::system_error const& error) {
        throw bench::Error("the system refused a request", error.what(), "raise the limits that ulimit -a prints");
    } catch (bench::Error const&) {
        throw;
    } catch (std::exception const& error) {
        std::string const text = bench::explained(error);
        if (text == error.what())
            throw;
        throw bench::Error(text);
    }
}

// Returns the exit code of `work`. If one rank fails, all ranks fail with the same message, and the root prints it.
int reporting(std::function<int()> const& work) {
    try {
        return work();
    } catch (bench::Error const& error) {
        if (ranks::is_root())
            std::cerr << "lockstep: " << bench::message_line(error.what()) << "\n";
        return 2;
    } catch (std::exception const& error) {
        if (ranks::is_root())
            std::cerr << "lockstep: unexpected: " << bench::message_line(error.what()) << "\n";
        return 1;
    }
}

}  // namespace

int run_program(Program const& program, int const argc, char const* const* const argv) {
    begin_json(argc, argv);
    int const ended = reporting([&] {
        prepare_process();
        ranks::Session const session;
        // Reported while the session exists, because a rank that ends with an error ends the others.
        return reporting([&] {
            int code = 0;
            ranks::together([&] {
                for (bench::Experiment const& experiment : program.experiments)
                    bench::check_experiment(experiment);
                try {
                    code = dispatch_within_limits(program, argc, argv);
                } catch (bench::Error const& error) {
                    print_json_error(bench::message_line(error.what()));
                    throw;
                }
                // After a signal, the reader of the output may have ended.
                if (code < 128)
                    finish_output();
            });
            return code;
        });
    });
    return end_process(ended);
}

}  // namespace lockstep::cli
