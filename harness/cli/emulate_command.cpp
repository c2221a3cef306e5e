// `lockstep emulate`: compiles a CUDA program for the emulator and runs it there, in one or several orders of its
// lanes.

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <optional>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/emulate_errors.hpp"
#include "harness/cli/emulate_report.hpp"
#include "harness/cli/emulate_run.hpp"
#include "harness/jit/declarations.hpp"
#include "harness/jit/foreign_program.hpp"
#include "harness/simt/emulate/tokens.hpp"

namespace lockstep::cli {
int emulate_command(Program const& program, int argc, char const* const* argv);

namespace {

using simt::emulator::LaneOrder;

constexpr std::array<LaneOrder, 4> orders = {LaneOrder::ascending, LaneOrder::random, LaneOrder::unfair,
                                             LaneOrder::descending};

struct EmulateOptions {
    std::vector<std::string> files;
    std::vector<std::string> include_folders;
    std::vector<std::string> definitions;
    std::vector<std::string> libraries;
    std::string order;
    std::string memory = "strong";
    std::string keep;
    std::string report;
    std::uint64_t number_of_orders = 1;
    std::uint64_t seed = 0;
    unsigned timeout_seconds = 0;
    unsigned watchdog_seconds = 30;
    bool has_watchdog = false;  // the user gave the seconds
    bool no_checks = false;
    bool counters = false;
    std::vector<std::string> arguments;  // of the program
};

std::optional<LaneOrder> order_called(std::string const& name) {
    auto const found =
        std::find_if(orders.begin(), orders.end(), [&](LaneOrder order) { return order_name(order) == name; });
    return found == orders.end() ? std::nullopt : std::optional<LaneOrder>(*found);
}

bool ends_with(std::string const& text, std::string const& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void check(EmulateOptions const& options) {
    if (options.files.empty())
        throw bench::Error("no file to emulate", "", "Name the .cu files of a program");
    if (!options.order.empty() && !order_called(options.order)) {
        throw bench::Error("unknown order " + options.order, "one of ascending, random, unfair, descending",
                           "Correct --order");
    }
    if (options.counters && options.no_checks)
        throw bench::Error("--counters with --no-checks", "the checks count", "Leave out one of them");
    if (options.counters && options.memory == "weak")
        throw bench::Error("--counters with --memory weak", "weak memory repeats atomics", "Leave out one of them");
    if (options.counters && !jit::has_access_checks())
        throw bench::Error("no counters", "this build has a sanitizer of its own", "Use a build without one");
    if (options.memory != "strong" && options.memory != "weak")
        throw bench::Error("unknown memory " + options.memory, "one of strong, weak", "Correct --memory");
    if (options.memory == "weak" && options.no_checks)
        throw bench::Error("--memory weak with --no-checks", "the checks see the accesses", "Leave out one of them");
    if (options.memory == "weak" && !jit::has_access_checks())
        throw bench::Error("no weak memory", "this build has a sanitizer of its own", "Use a build without one");
    if (options.watchdog_seconds == 0)
        throw bench::Error("invalid --watchdog 0", "each lane would be too slow", "Use a larger number");
    if (options.number_of_orders == 0 || options.number_of_orders > 10000)
        throw bench::Error("invalid --orders", "from 1 to 10000");
    if (!options.report.empty() && !ends_with(options.report, ".sarif") && !ends_with(options.report, ".xml"))
        throw bench::Error("unknown kind of report " + options.report, "by its name",
                           "Use NAME.sarif or NAME.junit.xml");
}

// The words after `--` are the program's own.
EmulateOptions parse(int argc, char const* const* argv) {
    EmulateOptions options;
    CommandLine line("emulate",
                     "Compiles an unmodified CUDA program, host code and all, runs it in the emulator, and checks what "
                     "its kernels do.");
    line.add_arguments("file", options.files,
                       "the source files of the program, such as main.cu; put the program's arguments after --");
    line.add_option("--orders", options.number_of_orders, "run the program in this many orders of its lanes");
    line.add_option("--order", options.order, "only this order: ascending, random, unfair or descending");
    line.add_option("--seed", options.seed, "seed of the first run; each further run has the next one");
    line.add_option("--memory", options.memory,
                    "strong, or weak: lanes see each other's stores late and out of order unless fences or barriers "
                    "order them, by the seed");
    line.add_option("-I", options.include_folders, "folder of headers");
    line.add_option("-D", options.definitions, "macro, as NAME or NAME=VALUE");
    line.add_option("-l", options.libraries, "library to link");
    line.add_option("--keep", options.keep, "folder to which the translated C++ text is written");
    line.add_option("--report", options.report, "file for a report: NAME.sarif or NAME.junit.xml");
    line.add_option("--timeout", options.timeout_seconds,
                    "time limit in seconds for the compilation and for each run; 0: no limit");
    line.add_option(
        "--watchdog", options.watchdog_seconds,
        "end the program if a lane makes no memory access for this many seconds; with --no-checks, if a lane "
        "neither waits nor exits for this long (default with --no-checks: 600)");
    line.add_flag("--no-checks", options.no_checks, "run faster, without the checks of memory accesses");
    line.add_flag("--counters", options.counters,
                  "print the source with what each line costs: warps, lanes, sectors, bank conflicts, atomics");
    line.add_footer(
        "Exit code: 1 if the program fails or a check finds something; 2 if compilation fails or exceeds the time "
        "limit, or if the program uses a feature that the emulator does not support.");
    line.add_max_input();
    char const* const* const end = argv + argc;
    char const* const* const separator =
        std::find_if(argv, end, [](char const* word) { return std::string_view(word) == "--"; });
    line.parse(static_cast<int>(separator - argv), argv);
    options.has_watchdog = line.given("--watchdog");
    if (separator != end)
        options.arguments.assign(separator + 1, end);
    check(options);
    return options;
}

std::optional<std::string> read_source(std::string const& path, bool required) {
    std::error_code error;
    if (!required && !std::filesystem::is_regular_file(path, error))
        return std::nullopt;
    std::string text = bench::read_input(path, bench::Input::cuda_source);
    if (text.find('\0') != text.npos)
        throw bench::Error("invalid " + path, "it has a NUL byte", "It must be text.");
    std::vector<simt::emulate::Token> const tokens = simt::emulate::tokens_of(text);
    if (simt::emulate::Token const* const deep = simt::emulate::too_deep(tokens, jit::max_nesting))
        throw bench::Error("invalid " + path + " line " + std::to_string(simt::emulate::line_of(text, deep->begin)),
                           "more than " + std::to_string(jit::max_nesting) + " brackets inside one another",
                           "Nest it less.");
    return text;
}

std::vector<simt::emulate::TranslatedFile> translate(EmulateOptions const& options) {
    auto const read = [&](std::string const& path) {
        bool const named = std::find(options.files.begin(), options.files.end(), path) != options.files.end();
        return read_source(path, named);
    };
    return simt::emulate::translate_program(options.files, options.include_folders, read, options.definitions);
}

std::string compile(EmulateOptions const& options, std::vector<simt::emulate::TranslatedFile> const& files) {
    jit::ForeignOptions foreign;
    for (std::string const& folder : options.include_folders) {
        foreign.compiler.push_back("-I");
        foreign.compiler.push_back(std::filesystem::absolute(folder).string());
    }
    for (std::string const& definition : options.definitions)
        foreign.compiler.push_back("-D" + definition);
    for (std::string const& library : options.libraries)
        foreign.libraries.push_back("-l" + library);
    foreign.checks = !options.no_checks;
    foreign.counters = options.counters;
    foreign.timeout_seconds = options.timeout_seconds;
    try {
        return jit::foreign_program(files, foreign, {"emulate", "the program", ""});
    } catch (jit::CompileError const& error) {
        throw emulate_error(error);
    }
}

// The orders of the runs: the one that the user names, or all in turn.
simt::emulator::Options run_options(EmulateOptions const& options, std::uint64_t run) {
    simt::emulator::Options chosen;
    chosen.order = options.order.empty() ? orders[run % orders.size()] : *order_called(options.order);
    chosen.seed = options.seed + run;
    chosen.masks_may_name_exited_lanes = true;  // foreign programs keep to CUDA's rules, not to our stricter ones
    chosen.threads = options.no_checks ? 0 : 1;
    chosen.weak_memory = options.memory == "weak";
    chosen.silent_limit_seconds = options.watchdog_seconds;
    if (options.has_watchdog) {
        chosen.turn_limit_seconds =
            std::max<double>(options.watchdog_seconds, options.no_checks ? 0 : chosen.turn_limit_seconds);
    }
    return chosen;
}

}  // namespace

int emulate_command(Program const&, int argc, char const* const* argv) {
    EmulateOptions const options = parse(argc, argv);
    std::vector<simt::emulate::TranslatedFile> const files = translate(options);
    if (!options.keep.empty()) {
        for (simt::emulate::TranslatedFile const& file : files)
            bench::write_file_atomically(std::filesystem::path(options.keep) / file.name, file.text);
    }
    RunRequest request;
    request.object = compile(options, files);
    request.arguments = options.arguments;
    request.arguments.insert(request.arguments.begin(),
                             std::filesystem::path(options.files.front()).replace_extension("").string());
    request.timeout_seconds = options.timeout_seconds;
    request.checks = !options.no_checks;
    request.counters = options.counters;
    std::vector<EmulatedRun> runs;
    for (std::uint64_t i = 0; i < options.number_of_orders; ++i) {
        request.options = run_options(options, i);
        runs.push_back(run_emulated(request));
        EmulatedRun const& run = runs.back();
        if (!run.passed()) {
            std::cerr << "lockstep: the run in order " << run.order << " with seed " << run.seed << " failed ("
                      << (run.end.empty() ? std::to_string(run.findings.size()) +
                                                (run.findings.size() == 1 ? " finding" : " findings")
                                          : run.end)
                      << "). Repeat it with --order " << run.order << " --seed " << run.seed
                      << (options.memory == "weak" ? " --memory weak" : "") << '\n';
        }
    }
    if (!options.report.empty()) {
        bench::write_file_atomically(options.report, ends_with(options.report, ".sarif")
                                                         ? sarif_report(runs)
                                                         : junit_report(options.files.front(), runs));
    }
    bool const passed = std::all_of(runs.begin(), runs.end(), [](EmulatedRun const& run) { return run.passed(); });
    return passed ? 0 : 1;
}

}  // namespace lockstep::cli
