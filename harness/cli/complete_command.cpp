// lockstep complete: a script that completes command lines in bash or zsh. It is generated from the commands, their
// --help, and the experiments, so that it knows what this program knows.

#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/experiment_text.hpp"

namespace lockstep::cli {

namespace {

using Words = std::vector<std::string>;

// What --help says of a command's options.
struct KnownOptions {
    Words names;
    std::map<std::string, Words> values;  // of options that take one; empty if any word may follow
};

// The words of "one of a, b" in the help of an option.
Words allowed_in(std::string const& help) {
    std::string const mark = "one of ";
    std::size_t const begin = help.find(mark);
    if (begin == std::string::npos)
        return {};
    std::istringstream list(help.substr(begin + mark.size(), help.find_first_of(";)", begin) - begin - mark.size()));
    Words words;
    for (std::string word; std::getline(list, word, ',');)
        words.push_back(word.substr(std::min(word.find_first_not_of(' '), word.size())));
    return words;
}

// "  -o,--output TEXT   help" is an option; the next line may continue its help.
KnownOptions options_in(std::string const& text) {
    KnownOptions options;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::size_t const dashes = line.find("--");
        if (line.starts_with("  -") && dashes != std::string::npos && dashes <= 5) {
            std::size_t const end = std::min(line.find(' ', dashes), line.size());
            options.names.push_back(line.substr(dashes, end - dashes));
            bool const takes_value = end + 1 < line.size() && line[end + 1] >= 'A' && line[end + 1] <= 'Z';
            if (takes_value)
                options.values[options.names.back()];
        }
        if (!options.names.empty() && options.values.count(options.names.back()) != 0) {
            for (std::string const& word : allowed_in(line))
                options.values[options.names.back()].push_back(word);
        }
    }
    return options;
}

KnownOptions options_of(Command const& command, Words const& more) {
    Words words = {command.name};
    words.insert(words.end(), more.begin(), more.end());
    words.emplace_back("--help");
    std::vector<char const*> argv;
    for (std::string const& word : words)
        argv.push_back(word.c_str());
    try {
        command.function(static_cast<int>(argv.size()), argv.data());
    } catch (HelpRequested const& help) {
        return options_in(help.text);
    }
    return {};
}

// Commands of the source tree that other programs execute: the first words of the lines of these files.
Words other_commands(Program const& program) {
    Words names = {"help", "test"};
    for (char const* const folder : {"plots", "processes"}) {
        std::filesystem::path const file = program.source_directory / folder / "commands.txt";
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error))
            continue;
        std::istringstream lines(bench::read_file(file));
        for (std::string line; std::getline(lines, line);) {
            std::string const name = line.substr(0, line.find(' '));
            if (!name.empty() && !name.starts_with('#'))
                names.push_back(name);
        }
    }
    return names;
}

// Words of the generated script stand between double quotes there.
std::string quoted(Words const& words) {
    Words safe;
    for (std::string const& word : words) {
        bool const is_plain = std::all_of(word.begin(), word.end(), [](unsigned char const c) {
            return std::isalnum(c) != 0 ||
                   std::string_view("_-.:+@%x").find(static_cast<char>(c)) != std::string_view::npos;
        });
        if (is_plain && !word.empty())
            safe.push_back(word);
    }
    return '"' + bench::joined(safe, " ") + '"';
}

Words variant_names_of(bench::Experiment const& experiment) {
    Words names;
    for (VariantLine const& line : variant_lines(experiment)) {
        if (names.empty() || names.back() != line.first->name)
            names.push_back(line.first->name);
    }
    return names;
}

Words sweep_names_of(Program const& program, bench::Experiment const& experiment) {
    Words names;
    for (bench::Sweep const& sweep : sweeps_of(program, experiment))
        names.push_back(sweep.name);
    return names;
}

struct Tree {
    Words commands;
    Words experiments;
    std::map<std::string, KnownOptions> options;  // by command
    std::map<std::string, Words> values;          // by option
};

Tree tree_of(Program const& program) {
    Tree tree;
    for (bench::Experiment const& experiment : program.experiments)
        tree.experiments.push_back(experiment.name);
    std::vector<Command> commands = builtin_commands(program);
    commands.insert(commands.end(), program.commands.begin(), program.commands.end());
    for (Command const& command : commands) {
        tree.commands.push_back(command.name);
        KnownOptions options = options_of(command, command.name == "run" ? tree.experiments : Words());
        for (auto const& [name, values] : options.values) {
            for (std::string const& value : values) {
                Words& known = tree.values[name];
                if (std::find(known.begin(), known.end(), value) == known.end())
                    known.push_back(value);
            }
        }
        tree.options[command.name] = std::move(options);
    }
    tree.values["--preset"] = {"quick", "paper", "full"};
    tree.values["--cache"] = {"hot", "cold"};
    tree.values["--machine"] = {"auto", "cpu", "emulator", "cuda"};
    for (std::string const& name : other_commands(program))
        tree.commands.push_back(name);
    return tree;
}

// A branch per option whose values are known; another option with a value is completed by names of files.
std::string value_branches(Program const& program, Tree const& tree) {
    std::string sweeps, variants;
    for (bench::Experiment const& experiment : program.experiments) {
        sweeps +=
            "                " + experiment.name + ") words=" + quoted(sweep_names_of(program, experiment)) + " ;;\n";
        variants += "                " + experiment.name + ") words=" + quoted(variant_names_of(experiment)) + " ;;\n";
    }
    std::string text = "        --sweep)\n            case $experiment in\n" + sweeps +
                       "            esac\n            ;;\n" +
                       "        --variant | --except)\n            case $experiment in\n" + variants +
                       "            esac\n            ;;\n";
    std::set<std::string> others;
    for (auto const& [option, values] : tree.values)
        text += "        " + option + ") words=" + quoted(values) + " ;;\n";
    for (auto const& [command, options] : tree.options) {
        for (auto const& [option, values] : options.values) {
            if (tree.values.count(option) == 0 && option != "--sweep" && option != "--variant" && option != "--except")
                others.insert(option);
        }
    }
    return text + "        " + bench::joined(Words(others.begin(), others.end()), " | ") + ") ;;\n";
}

std::string script_of(Program const& program) {
    Tree const tree = tree_of(program);
    std::string options;
    for (auto const& [command, known] : tree.options)
        options += "                    " + command + ") words=" + quoted(known.names) + " ;;\n";
    return R"(# Completes the command lines of lockstep. Generated by `lockstep complete`.
_lockstep() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} experiment="" words="" at
    local commands=)" +
           quoted(tree.commands) + "\n    local experiments=" + quoted(tree.experiments) + R"(
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$commands" -- "$word"))
        return
    fi
    for ((at = 2; at < COMP_CWORD; ++at)); do
        if [[ -n "${COMP_WORDS[at]}" && " $experiments " == *" ${COMP_WORDS[at]} "* ]]; then
            experiment=${COMP_WORDS[at]}
        fi
    done
    case $previous in
)" + value_branches(program, tree) +
           R"(        *)
            if [[ "$word" == -* ]]; then
                case ${COMP_WORDS[1]} in
)" + options +
           R"(                esac
            else
                case ${COMP_WORDS[1]} in
                    run | list | report | figures | reproduce | expected | peers | end-to-end) words=$experiments ;;
                    complete) words="bash zsh" ;;
                esac
            fi
            ;;
    esac
    if [[ -n "$words" ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    fi
}
complete -o default -o bashdefault -F _lockstep lockstep ./lockstep
)";
}

}  // namespace

int complete_command(Program const& program, int const argc, char const* const* const argv) {
    std::string shell;
    CommandLine line("complete", "Prints a completion script. In bash: eval \"$(./lockstep complete bash)\"");
    line.add_argument("shell", shell, "bash or zsh");
    line.parse(argc, argv);
    bench::require_known("shell", shell, {"bash", "zsh"});
    std::string const script = script_of(program);
    if (shell == "zsh")
        std::cout << "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n";
    std::cout << script;
    return 0;
}

}  // namespace lockstep::cli
