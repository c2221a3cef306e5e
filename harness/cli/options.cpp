#include "harness/cli/options.hpp"

#include <charconv>

#include "harness/bench/error.hpp"
#include "harness/bench/whole_number.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/run_help.hpp"

namespace lockstep::cli {

std::vector<std::string> split_list(std::string const& option, std::string const& text) {
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == ',')
            parts.back() += text[++at];
        else if (text[at] == ',')
            parts.emplace_back();
        else
            parts.back() += text[at];
    }
    for (std::string const& part : parts) {
        if (part.empty()) {
            throw bench::Error("invalid " + option + " " + text, "a value is empty",
                               "separate values by single commas");
        }
    }
    return parts;
}

std::uint64_t parse_number(std::string const& option, std::string const& text, std::uint64_t const minimum,
                           std::uint64_t const maximum) {
    std::uint64_t value = 0;
    std::string const digits = bench::whole_number(text);
    char const* const end = digits.data() + digits.size();
    auto const [stop, code] = std::from_chars(digits.data(), end, value);
    if (code != std::errc() || stop != end || value < minimum || value > maximum) {
        throw bench::Error("invalid " + option + " " + text,
                           "must be an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    }
    return value;
}

ListOptions parse_list(int const argc, char const* const* const argv) {
    ListOptions options;
    CommandLine line("list", "Experiments, their variants, sweeps and axes");
    line.add_arguments("experiment", options.experiments, "Names of experiments (default: all)");
    line.add_json(options.json, "Print JSON");
    line.parse(argc, argv);
    return options;
}

DevicesOptions parse_devices(int const argc, char const* const* const argv) {
    DevicesOptions options;
    CommandLine line("devices", "List the CPU, the emulator and the GPUs of this computer");
    line.add_json(options.json, "Print the description of this computer and program that a results file records");
    line.parse(argc, argv);
    return options;
}

MergeOptions parse_merge(int const argc, char const* const* const argv) {
    MergeOptions options;
    CommandLine line("merge", "Adds rows of results to a file; of two rows with the same name, the newer stays");
    line.add_arguments("file", options.files, "Results files to read rows from");
    line.add_option("--into", options.into, "The results file to add them to, such as results/DEVICE/EXPERIMENT.json");
    line.add_max_input();
    line.require("file");
    line.require("--into");
    line.parse(argc, argv);
    return options;
}

MigrateOptions parse_migrate(int const argc, char const* const* const argv) {
    MigrateOptions options;
    CommandLine line("migrate", "Migrates results files from an older schema to the current one");
    line.add_arguments("file", options.files, "Results files, such as results/DEVICE/EXPERIMENT.json");
    line.add_option("--out", options.out,
                    "Folder for the migrated files; the originals stay unchanged (default: replace them)");
    line.add_max_input();
    line.require("file");
    line.parse(argc, argv);
    return options;
}

RunArguments parse_run(Program const& program, int const argc, char const* const* const argv) {
    RunArguments arguments;
    std::string sweeps;
    AxisTexts axes;
    CommandLine line("run", "Runs experiments: verify, time, verify");
    line.add_arguments("experiment", arguments.experiments, "Names of experiments");
    line.add_option("--sweep", sweeps, "Sweeps in the experiment's sweeps.json, separated by commas");
    line.add_option("--preset", arguments.preset, "Sweeps of a preset: quick (default), paper, full");
    line.add_option("--variant", arguments.variant, "Regular expression that matches the variant's entire name");
    line.add_option("--except", arguments.except,
                    "Regular expression that matches the entire name of each variant to skip");
    line.add_option("--machine", arguments.machine,
                    "cpu, emulator or cuda, separated by commas, in place of the sweep's machines; or auto (default): "
                    "those of the sweep's that are cpu, or cuda if there is a GPU, else emulator");
    line.add_option("--repetitions", arguments.repetitions, "Repetitions of each case (default: the sweep's)");
    line.add_option("--seed", arguments.seed, "Seed of all random numbers (default 1)");
    line.add_option("--shard", arguments.shard, "I/N: part I of N of each case's units");
    line.add_option("--cache", arguments.cache, "hot or cold last-level cache (default: the sweep's)");
    line.add_option("--out", arguments.output, "Folder for results (default: results/ in the source tree)");
    line.add_flag("--dry-run", arguments.dry_run, "Lists the cases without running them");
    line.add_flag("--missing", arguments.missing, "Runs only cases that the results do not have from this commit");
    line.add_json(arguments.json, "Print the cases, their times and the fastest of each setting as JSON");
    line.add_max_input();
    add_run_axes(line, program, argc, argv, axes);
    line.parse(argc, argv);
    if (!sweeps.empty())
        arguments.sweeps = split_list("--sweep", sweeps);
    for (auto const& [name, text] : axes) {
        if (line.given("--" + name))
            arguments.axes[name] = split_list("--" + name, text);
    }
    return arguments;
}

}  // namespace lockstep::cli
