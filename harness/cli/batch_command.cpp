// lockstep batch: the command lines of a file in one process, which starts once. Its times say what a request costs a
// program that keeps running.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/distinct_files.hpp"

namespace lockstep::cli {

namespace {

struct Line {
    unsigned number = 0;  // in the file, from 1
    std::vector<std::string> words;
};

std::vector<Line> lines_of(std::string const& text) {
    std::vector<Line> lines;
    std::istringstream rows(text);
    unsigned number = 0;
    for (std::string row; std::getline(rows, row);) {
        Line line{++number, {}};
        std::istringstream words(row);
        for (std::string word; words >> word && !word.starts_with('#');)
            line.words.push_back(word);
        if (!line.words.empty())
            lines.push_back(std::move(line));
    }
    return lines;
}

int run_line(std::vector<Command> const& commands, std::vector<std::string> const& words) {
    auto const command =
        std::find_if(commands.begin(), commands.end(), [&](Command const& one) { return one.name == words.front(); });
    if (words.front() == "batch")
        throw bench::Error("a batch cannot run batch", "batches do not nest", "write the lines into one file");
    if (command == commands.end()) {
        std::vector<std::string> names;
        for (Command const& one : commands)
            names.push_back(one.name);
        throw bench::Error("unknown command " + words.front(), "lockstep has no such command",
                           bench::suggestion(words.front(), names));
    }
    std::vector<char const*> argv;
    for (std::string const& word : words)
        argv.push_back(word.c_str());
    int const code = command->function(static_cast<int>(argv.size()), argv.data());
    std::fflush(stdout);
    std::cout.flush();
    return code;
}

void write_times(std::string const& csv, std::string const& table) {
    if (!csv.empty())
        bench::write_file_atomically(csv, table);
}

}  // namespace

int batch_command(Program const& program, int const argc, char const* const* const argv) {
    std::string file, csv;
    CommandLine app("batch", "Run the command lines of a file in one process, until one fails");
    app.add_argument("file", file,
                     "One command per line, without the word lockstep; blanks separate words, # begins a comment; - is "
                     "standard input");
    app.add_option("--csv", csv, "Write the seconds of each command line, output included, to this file");
    app.add_max_input();
    app.parse(argc, argv);
    require_distinct_files({file}, {csv});
    std::vector<Command> commands = builtin_commands(program);
    commands.insert(commands.end(), program.commands.begin(), program.commands.end());
    std::erase_if(commands, [](Command const& command) { return command.name == "batch"; });

    std::string table = "line,command,seconds\n";
    int code = 0;
    for (Line const& line : lines_of(bench::read_input(file, bench::Input::command_lines))) {
        auto const start = std::chrono::steady_clock::now();
        try {
            code = run_line(commands, line.words);
        } catch (bench::Error const& error) {
            bench::Error const in_line("line " + std::to_string(line.number) + " of " + file + ": " + error.what());
            try {
                write_times(csv, table);
            } catch (bench::Error const&) {  // the line's error came first
            }
            throw in_line;
        }
        std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
        if (code != 0) {
            std::cerr << "lockstep: line " << line.number << " of " << bench::one_line(file) << " ended with code "
                      << code << "\n";
            break;
        }
        table += fmt::format("{},{},{:.9f}\n", line.number, line.words.front(), seconds.count());
    }
    write_times(csv, table);
    return code;
}

}  // namespace lockstep::cli
