// lockstep run: plans cases from sweeps and flags, runs them and writes results.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/plan.hpp"
#include "harness/bench/runner.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/experiment_text.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/run_json.hpp"
#include "harness/cli/run_table.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/variant_choice.hpp"
#include "harness/ranks/ranks.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::cli {

namespace {

using bench::Error;
using bench::Experiment;
using simt::Machine;

// The machines of --machine. `auto` means the CPU, plus the GPU if there is one, else the emulator.
void choose_machines(std::string const& text, bench::Selection& selection) {
    simt::DeviceList const devices = simt::cuda_devices();
    bool const has_gpu = !devices.devices.empty();
    if (text == "auto") {
        selection.machines = {Machine::cpu, has_gpu ? Machine::cuda : Machine::emulator};
        return;
    }
    selection.machines_are_explicit = true;
    for (std::string const& name : split_list("--machine", text)) {
        require_machine(name);
        if (name == "auto")
            throw Error("invalid --machine " + text, "auto cannot be combined with other machines");
        if (name == "cuda" && !has_gpu) {
            throw Error("cannot run on cuda", "no GPU: " + devices.reason, "use --machine emulator or --machine cpu");
        }
        selection.machines.push_back(simt::machine_from_string(name));
    }
}

// Each rank of mpirun is a shard.
bench::Shard shard_of(RunArguments const& arguments) {
    if (ranks::count() == 1)
        return arguments.shard.empty() ? bench::Shard() : bench::parse_shard(arguments.shard);
    if (!arguments.shard.empty())
        throw Error("cannot run shard " + arguments.shard, "ranks are shards already", "leave out --shard or mpirun");
    return {ranks::rank(), ranks::count()};
}

bench::Selection selection_of(RunArguments const& arguments) {
    bench::Selection selection;
    selection.sweeps = arguments.sweeps;
    bench::require_known("preset", arguments.preset, {"quick", "paper", "full"});
    selection.preset = arguments.preset;
    selection.variant = arguments.variant;
    selection.except = arguments.except;
    choose_machines(arguments.machine, selection);
    selection.axes = arguments.axes;
    if (!arguments.repetitions.empty()) {
        selection.repetitions = static_cast<int>(parse_number("--repetitions", arguments.repetitions, 2, 100000));
    }
    selection.seed = parse_number("--seed", arguments.seed, 0, ~std::uint64_t{0});
    selection.shard = shard_of(arguments);
    if (!arguments.cache.empty()) {
        bench::require_known("cache", arguments.cache, {"hot", "cold"});
        selection.cache = arguments.cache;
    }
    return selection;
}

// "run random_grids quick": the second word is no experiment, but the first one has a sweep of this name.
void check_experiment_names(Program const& program, std::vector<std::string> const& names) {
    std::vector<std::string> known;
    for (Experiment const& experiment : program.experiments)
        known.push_back(experiment.name);
    auto const is_known = [&](std::string const& name) {
        return std::find(known.begin(), known.end(), name) != known.end();
    };
    auto const refuse = [](std::string const& name, std::string const& option) {
        throw Error("unknown experiment " + name, "not in the list", "did you mean " + option + " " + name + "?");
    };
    for (std::string const& name : names) {
        if (is_known(name) || !bench::nearest(name, known).empty())
            continue;
        for (Experiment const* const experiment : chosen_experiments(program, {names.front()})) {
            for (bench::Sweep const& sweep : sweeps_of(program, *experiment)) {
                if (sweep.name == name)
                    refuse(name, "--sweep");
            }
            for (bench::Variant const& variant : experiment->variants) {
                if (variant.name == name)
                    refuse(name, "--variant");
            }
        }
    }
}

// Keeps the records of a run that prints no rows.
class Collector : public bench::RunObserver {
public:
    explicit Collector(Comparison& comparison) : comparison_(comparison) {}
    void finished(bench::CaseRecord const& record) override { comparison_.add(record); }

private:
    Comparison& comparison_;
};

std::vector<std::string> names_of(bench::AxisLists const& axes) {
    std::vector<std::string> names;
    for (auto const& [name, values] : axes)
        names.push_back("--" + name);
    return names;
}

// Rejects an axis that no chosen experiment has; it would otherwise be ignored silently.
void check_axes_belong(std::vector<Experiment const*> const& experiments, RunArguments const& arguments) {
    for (auto const& given : arguments.axes) {
        bool const known = std::any_of(experiments.begin(), experiments.end(), [&](Experiment const* experiment) {
            return std::any_of(experiment->axes.begin(), experiment->axes.end(),
                               [&](bench::Axis const& axis) { return axis.name == given.first; });
        });
        if (!known)
            bench::find_axis(*experiments.front(), given.first);
    }
}

// A row names what it was measured on, and standard input has no name.
void refuse_standard_input(RunArguments const& arguments) {
    for (auto const& [axis, values] : arguments.axes) {
        if (std::find(values.begin(), values.end(), bench::standard_input) != values.end())
            throw Error("invalid --" + axis + " -", "rows need the name of a file", "name a file");
    }
}

// The cases of a run, and the settings that the user's values made meaningless.
struct Plan {
    std::vector<bench::PlannedCase> cases;
    std::vector<bench::RefusedSetting> refused;
};

Plan plan_of(Program const& program, std::vector<Experiment const*> const& experiments,
             bench::Selection const& selection) {
    Plan plan;
    for (Experiment const* const experiment : experiments) {
        std::vector<bench::Sweep> const sweeps = bench::read_sweeps(sweeps_file(program, *experiment));
        for (bench::PlannedCase& planned : bench::plan_cases(*experiment, sweeps, selection, &plan.refused))
            plan.cases.push_back(std::move(planned));
    }
    return plan;
}

void require_cases(Plan const& plan, RunArguments const& arguments, bench::Selection const& selection) {
    if (!plan.cases.empty())
        return;
    if (!plan.refused.empty())
        throw Error(plan.refused.front().reason);
    std::vector<std::string> machines;
    for (Machine const machine : selection.machines)
        machines.emplace_back(simt::to_string(machine));
    std::string const what =
        arguments.sweeps.empty() ? "preset " + arguments.preset : "sweep " + bench::joined(arguments.sweeps);
    throw Error("no case to run",
                what + " has nothing for " + bench::joined(machines) +
                    (arguments.variant.empty() ? "" : " and --variant " + arguments.variant) +
                    (arguments.except.empty() ? "" : " and --except " + arguments.except),
                "try another --sweep, --preset or --machine");
}

int list_cases(Plan const& plan, bool const json) {
    if (json) {
        print_json(plan_document(plan.cases, plan.refused));
        return 0;
    }
    for (bench::PlannedCase const& planned : plan.cases) {
        std::string const reason = planned.variant->unsupported_reason(planned.problem.axes);
        std::cout << fmt::format("{}  units {}..{}, {} repetitions, sweeps {}{}\n", bench::one_line(planned.name),
                                 planned.problem.first_unit, planned.problem.first_unit + planned.problem.units,
                                 planned.repetitions, bench::joined(planned.sweeps),
                                 reason.empty() ? "" : ", refused: " + reason);
    }
    for (bench::RefusedSetting const& setting : plan.refused)
        std::cout << "refused: " << bench::message_line(setting.reason) << "\n";
    std::cout << fmt::format("{} cases\n", plan.cases.size());
    return 0;
}

void report(bench::RunSummary const& summary, std::size_t const planned, bench::Provenance const& provenance) {
    if (summary.interrupted) {
        std::cout << fmt::format("interrupted after {} of {} cases\n", summary.finished, planned);
    }
    if (summary.finished > 0 || summary.left_out > 0) {
        for (auto const& file : summary.files)
            std::cout << "results in " << bench::one_line(file.string()) << "\n";
    }
    constexpr double long_enough = 10;  // seconds; shorter runs do not print the phases
    if (bench::PhaseSeconds const& spent = summary.phase_seconds; spent.sum() >= long_enough) {
        std::cout << fmt::format("{:.0f} s: preparing {:.0f}, references {:.0f}, verification {:.0f}, timing {:.0f}\n",
                                 spent.sum(), spent.preparing, spent.reference, spent.verification, spent.timing);
    }
    if (!provenance.publishable) {
        std::cout << "unpublishable: " << bench::one_line(provenance.unpublishable_because) << "\n";
    }
    if (summary.failures > 0) {
        std::cerr << fmt::format("{} of {} cases failed, disagree or are not verified: they have no time\n",
                                 summary.failures, summary.finished);
    }
}

// What to do with the rows.
void print_next_step(std::vector<Experiment const*> const& experiments, RunArguments const& arguments) {
    std::string words;
    for (Experiment const* const experiment : experiments)
        words += " " + experiment->name;
    if (!arguments.output.empty())
        words += " --results " + bench::one_line(arguments.output);
    std::cout << "next: ./lockstep report --claims" << words << "\n";
}

// Where the user's values fit no case, the run was in vain.
void require_measured(Comparison const& comparison, RunArguments const& arguments) {
    auto const& records = comparison.records();
    bool const none = std::all_of(records.begin(), records.end(), [](bench::CaseRecord const& record) {
        return record.status == bench::Status::refused;
    });
    if (none && !records.empty() && !arguments.axes.empty()) {
        throw Error("no case ran",
                    std::to_string(records.size()) + " refused, such as " + records.front().name + ": " +
                        records.front().reason,
                    "try other values of " + bench::joined(names_of(arguments.axes)));
    }
}

std::filesystem::path output_of(Program const& program, RunArguments const& arguments) {
    return arguments.output.empty() ? program.source_directory / "results" : std::filesystem::path(arguments.output);
}

// Runs the cases with a table or, with --json, with the bar alone.
bench::RunSummary run_with_table(Plan const& plan, bench::RunOptions const& options, Comparison& comparison,
                                 bool const json) {
    Terminal const terminal = terminal_of(STDOUT_FILENO);
    RunTable table(plan.cases, comparison, std::cout, terminal);
    Collector collector(comparison);
    bench::RunObserver& lines = json ? static_cast<bench::RunObserver&>(collector) : table;
    bool const bar = ::isatty(STDERR_FILENO) == 1 && (json || ::isatty(STDOUT_FILENO) == 1);
    Progress progress(lines, std::cerr, bar, terminal_of(STDERR_FILENO).width);
    bench::RunSummary const summary = bench::run_cases(plan.cases, options, progress);
    progress.end();
    if (!json)
        table.end(plan.refused, summary.left_out);
    return summary;
}

// The bandwidth of a copy on this device; 0 if it was not measured.
double copy_limit(bench::RunOptions const& options) {
    bench::Limits const limits = bench::read_limits(options.output / options.provenance.device_slug / "limits.json");
    auto const found = limits.find("copy");
    return found == limits.end() ? 0 : found->second.value;
}

}  // namespace

std::filesystem::path sweeps_file(Program const& program, Experiment const& experiment) {
    return program.source_directory / "experiments" / experiment.name / "sweeps.json";
}

int run_command(Program const& program, RunArguments const& arguments, int const argc, char const* const* const argv) {
    if (arguments.experiments.empty()) {
        std::vector<std::string> names;
        for (Experiment const& experiment : program.experiments)
            names.push_back(experiment.name);
        throw Error("nothing to run", "no experiment is named", "choose from " + bench::joined(names));
    }
    check_experiment_names(program, arguments.experiments);
    std::vector<Experiment const*> const experiments = chosen_experiments(program, arguments.experiments);
    check_axes_belong(experiments, arguments);
    refuse_standard_input(arguments);
    bench::Selection const selection = selection_of(arguments);
    Plan plan = plan_of(program, experiments, selection);
    require_cases(plan, arguments, selection);
    if (arguments.dry_run)
        return list_cases(plan, arguments.json);

    bench::RunOptions options;
    options.output = output_of(program, arguments);
    options.provenance = bench::collect_provenance(program.source_directory, argc, argv);
    options.only_missing = arguments.missing;
    Comparison comparison(plan.cases, copy_limit(options), options.provenance.gpu ? Machine::cuda : Machine::cpu);
    comparison.order(plan.cases);
    bench::RunSummary const summary = run_with_table(plan, options, comparison, arguments.json);
    if (arguments.json)
        print_json(run_document(comparison, summary, plan.refused, options.provenance));
    else
        report(summary, plan.cases.size(), options.provenance);
    if (!summary.lost_device.empty()) {
        throw Error("the run ended after " + std::to_string(summary.finished) + " of " +
                        std::to_string(plan.cases.size()) + " cases, whose rows are written",
                    summary.lost_device, "then run the rest with --missing");
    }
    if (!summary.interrupted)
        require_measured(comparison, arguments);
    if (!arguments.json && summary.finished > 0)
        print_next_step(experiments, arguments);
    return summary.exit_code();
}

}  // namespace lockstep::cli
