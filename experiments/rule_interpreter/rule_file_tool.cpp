#include "experiments/rule_interpreter/rule_file_tool.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

#include "experiments/rule_interpreter/count_of.hpp"
#include "experiments/rule_interpreter/rule_file_run.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/variant.hpp"
#include "harness/bench/whole_number.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/time_limit.hpp"
#include "harness/cli/variant_choice.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr char const* page = "examples/rule_interpreter/rules/README.md describes rule files.";

std::uint64_t number_of(cli::AxisTexts const& axes, std::string const& name, std::uint64_t otherwise,
                        std::uint64_t max) {
    std::string const text = bench::whole_number(axes.at(name));
    if (text.empty())
        return otherwise;
    std::uint64_t value = 0;
    auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < 1 || value > max)
        throw bench::Error("invalid " + name + "=" + text, "it must be an integer from 1 to " + std::to_string(max));
    return value;
}

// The machine, and whether the variant is the sequential one.
void choose(FullRequest const& request, Work& work) {
    std::string const& variant = request.variant;
    std::vector<std::string> const known = {"auto", "queue", "grid", "all_cores", "sequential"};
    if (!variant.empty() && std::find(known.begin(), known.end(), variant) == known.end())
        throw bench::Error("unknown variant " + variant, "for rule files", bench::suggestion(variant, known));
    work.machine = cli::machines_to_try(request.machine, {simt::Machine::cuda, simt::Machine::cpu}).front();
    bool const needs_cpu = variant == "all_cores" || variant == "sequential";
    if (needs_cpu && request.machine == "auto")
        work.machine = simt::Machine::cpu;
    bool const on_cpu = work.machine == simt::Machine::cpu;
    bool const needs_kernels = variant == "queue" || variant == "grid";
    if ((needs_cpu && !on_cpu) || (needs_kernels && on_cpu))
        throw bench::Error("cannot interpret with variant " + variant,
                           "it does not exist on machine " + std::string(simt::to_string(work.machine)),
                           on_cpu ? "Add --machine emulator or --machine cuda." : "Add --machine cpu.");
    work.sequential = variant == "sequential";
    if (needs_kernels)
        work.kernels = variant == "grid" ? KernelChoice::grid : KernelChoice::queue;
}

Work work_of(FullRequest const& request) {
    cli::AxisTexts const& axes = request.axes;
    for (char const* const name :
         {"rules", "range", "divergence", "enabled", "load", "shape", "layout", "accesses", "clues"}) {
        if (!axes.at(name).empty())
            throw bench::Error(std::string("--") + name + " does not go with --rules-file",
                               "it is of the built-in rules", "A rule file has parameters: --set NAME=VALUE.");
    }
    if (!axes.at("until").empty() && axes.at("until") != "change")
        throw bench::Error("invalid until=" + axes.at("until"), "rule files end at a fixed point, or after --steps",
                           "Use --until change.");
    Work work;
    choose(request, work);
    work.to_fixed_point = !axes.at("until").empty();
    char const* const other = work.to_fixed_point ? "steps" : "bound";
    if (!axes.at(other).empty())
        throw bench::Error(std::string("--") + other + (work.to_fixed_point ? " with" : " without") + " --until change",
                           "passes are limited by --bound with --until change, else by --steps");
    constexpr std::uint64_t max_passes = std::numeric_limits<std::int32_t>::max();
    work.passes = static_cast<unsigned>(work.to_fixed_point ? number_of(axes, "bound", 100, max_passes)
                                                            : number_of(axes, "steps", 1, max_passes));
    work.states = number_of(axes, "states", 0, std::uint64_t{1} << 40);
    work.seed = request.seed;
    work.is_checked = request.own.check;
    work.settings = jit::named_values(request.own.settings, "--set", "VALUE");
    work.columns = jit::named_values(request.own.columns, "--column", "FILE");
    work.out = jit::named_values(request.own.out, "--out", "FILE");
    if (ranks::count() > 1 && !work.out.empty())
        throw bench::Error("cannot write columns in " + std::to_string(ranks::count()) + " processes",
                           "each has a part of the states", "Start one process.");
    return work;
}

void check_files(FullRequest const& request, Work const& work) {
    std::vector<std::string> inputs = {request.own.file};
    std::vector<std::string> outputs = {request.csv};
    for (auto const& [name, file] : work.columns)
        inputs.push_back(file);
    for (auto const& [name, file] : work.out)
        outputs.push_back(file);
    cli::require_distinct_files(inputs, outputs);
}

// Throws bench::Error if the specification has other results, or refuses an index. It comes first, because machines
// that do not check indices would fault or overwrite memory.
void check(RuleFile const& file, Work work) {
    work.out.clear();
    RuleJob job(file, work);
    Work specification = work;
    specification.machine = simt::Machine::cpu;
    specification.sequential = true;
    std::vector<std::uint64_t> const expected = run_rules(file, specification).digests;
    std::vector<std::uint64_t> const found = job.run(0, job.states()).digests;
    auto const at = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end()).first;
    if (at == found.end())
        return;
    throw bench::Error("state " + std::to_string(at - found.begin()) + " differs from the sequential reference",
                       "instances of a rule read what they or others have set", "Declare such a column deferred.");
}

struct Totals {
    std::uint64_t states = 0;
    std::uint64_t values = 0;
    std::uint64_t digest = 0;
    std::uint64_t at_bound = 0;
    std::uint32_t max_passes = 0;
    double setup_seconds = 0;
    double seconds = 0;
    std::string digits;
    Counted counted;
};

// The words of a state: its digest, low and high, and its last change.
std::vector<bench::UnitResult> rows_of(Results const& results) {
    std::vector<bench::UnitResult> rows;
    for (std::size_t i = 0; i < results.digests.size(); ++i)
        rows.push_back({static_cast<std::uint32_t>(results.digests[i]),
                        static_cast<std::uint32_t>(results.digests[i] >> 32),
                        i < results.last_change.size() ? results.last_change[i] : 0});
    return rows;
}

std::string csv_of(std::vector<bench::UnitResult> const& rows, Work const& work) {
    std::string text = work.to_fixed_point ? "state,digest,passes\n" : "state,digest\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        char line[80];
        std::snprintf(line, sizeof line, "%zu,%08x%08x", i, rows[i][1], rows[i][0]);
        text += line;
        if (work.to_fixed_point)
            text += "," + std::to_string(rows[i][2]);
        text += "\n";
    }
    return text;
}

Totals totals_of(Results const& mine, Work const& work, std::uint64_t states, std::uint64_t first) {
    Totals totals;
    totals.states = states;
    totals.values = ranks::sum(mine.values);
    totals.digest = ranks::sum(digest_of(mine.digests, first));
    totals.setup_seconds = ranks::largest(mine.setup_seconds);
    totals.seconds = ranks::largest(mine.seconds);
    totals.counted = {ranks::sum(mine.counted.tested), ranks::sum(mine.counted.enabled)};
    std::uint64_t bound = 0;
    double most = 0;
    for (std::uint32_t const passes : mine.last_change) {
        bound += passes == work.passes ? 1 : 0;
        most = std::max(most, static_cast<double>(passes));
    }
    totals.at_bound = ranks::sum(bound);
    totals.max_passes = static_cast<std::uint32_t>(ranks::largest(most));
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%016llx", static_cast<unsigned long long>(totals.digest));
    totals.digits = digits;
    return totals;
}

void print(Totals const& totals, Work const& work, Results const& mine) {
    std::printf("%s of %s", count_of(totals.states, "state").c_str(),
                count_of(totals.values / totals.states, "value").c_str());
    if (work.to_fixed_point)
        std::printf("; %llu at a fixed point, %llu at the bound; at most %s changed a state",
                    static_cast<unsigned long long>(totals.states - totals.at_bound),
                    static_cast<unsigned long long>(totals.at_bound),
                    count_of(totals.max_passes, "pass", "es").c_str());
    std::printf("\n%s on machine %s, %.3g s, %.3g s to set up the states, digest %s\n", mine.variant.c_str(),
                std::string(simt::to_string(work.machine)).c_str(), totals.seconds, totals.setup_seconds,
                totals.digits.c_str());
    if (mine.geometry)
        std::printf("%s, after %s; %.3g%% of the instances enabled\n", to_string(*mine.geometry).c_str(),
                    count_of(mine.trials, "trial").c_str(), 100 * totals.counted.share());
}

void append_geometry(std::vector<cli::JsonMember>& members, Totals const& totals, Geometry const& geometry,
                     unsigned trials) {
    members.insert(members.end(), {{"warps_per_state", std::to_string(geometry.warps_per_state)},
                                   {"states_per_warp", std::to_string(geometry.states_per_warp)},
                                   {"compaction", cli::json_flag(geometry.compacts)},
                                   {"trials", std::to_string(trials)},
                                   {"share_enabled", cli::json_number(totals.counted.share())}});
}

void print_json(Totals const& totals, Work const& work, Results const& mine) {
    std::vector<cli::JsonMember> members = {{"states", std::to_string(totals.states)},
                                            {"values", std::to_string(totals.values)}};
    if (work.to_fixed_point)
        members.insert(members.end(), {{"at_fixed_point", std::to_string(totals.states - totals.at_bound)},
                                       {"at_bound", std::to_string(totals.at_bound)},
                                       {"max_passes", std::to_string(totals.max_passes)}});
    members.insert(members.end(), {{"variant", cli::json_text(mine.variant)},
                                   {"machine", cli::json_text(simt::to_string(work.machine))},
                                   {"setup_seconds", cli::json_number(totals.setup_seconds)},
                                   {"seconds", cli::json_number(totals.seconds)},
                                   {"digest", cli::json_text(totals.digits)}});
    if (mine.geometry)
        append_geometry(members, totals, *mine.geometry, mine.trials);
    cli::print_json(cli::json_document(members));
}

}  // namespace

void define_options(cli::CommandLine& app, Request& request) {
    app.add_option("--rules-file", request.file,
                   "A file with rules of your own (examples/rule_interpreter/rules/README.md). It is compiled and run "
                   "as code: use only files that you trust. Accepts --states, and either --steps, or --until change "
                   "with --bound.");
    app.add_option("--set", request.settings, "rules file: NAME=VALUE sets a parameter; may be repeated");
    app.add_option("--column", request.columns,
                   "rules file: NAME=FILE reads a column from an .npy or raw file; may be repeated");
    app.add_option("--out", request.out,
                   "rules file: NAME=FILE writes a column to an .npy or raw file; may be repeated");
    app.add_flag("--check", request.check,
                 "rules file: also run the sequential reference, which checks every index and refuses a value that two "
                 "instances of a rule set, and compare every state");
}

void check_options(cli::CommandLine const& app, Request const& request) {
    if (!request.file.empty()) {
        for (char const* const option : {"--puzzles", "--file", "--show"}) {
            if (app.given(option))
                throw bench::Error(std::string(option) + " does not go with --rules-file", "it is of Sudoku", page);
        }
        return;
    }
    for (char const* const option : {"--set", "--column", "--out", "--check"}) {
        if (app.given(option))
            throw bench::Error(std::string(option) + " needs --rules-file", "it is for rules of your own", page);
    }
}

int interpret(FullRequest const& request) {
    Work const work = work_of(request);
    check_files(request, work);
    cli::check_standard_input(request.own.file);
    RuleFile const file = read_rule_file(request.own.file);
    cli::EndlessTurns const ended(request.own.file, "the rule file");
    std::uint64_t states = 0;
    ranks::Part part;
    Results mine;
    ranks::together([&] {
        if (request.own.check)
            check(file, work);
        RuleJob job(file, work);
        states = job.states();
        part = ranks::part_of(0, states);
        mine = job.run(part.first, part.units);
    });
    Totals const totals = totals_of(mine, work, states, part.first);
    std::vector<bench::UnitResult> rows;
    if (!request.csv.empty())
        rows = ranks::gathered(rows_of(mine));
    if (!ranks::is_root())
        return 0;
    if (!request.csv.empty())
        bench::write_file_atomically(request.csv, csv_of(rows, work));
    if (request.json)
        print_json(totals, work, mine);
    else
        print(totals, work, mine);
    return 0;
}

}  // namespace lockstep::rule_interpreter::rule_file
