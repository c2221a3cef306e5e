#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>

#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "baselines/term_rewriting/emit.hpp"
#include "common/term_rewriting/engine.hpp"
#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/language/print.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "experiments/term_rewriting/command.hpp"
#include "experiments/term_rewriting/named_workload.hpp"
#include "experiments/term_rewriting/output.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/output_target.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/process.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

namespace lockstep::term_rewriting {

namespace {

struct Request {
    std::string file;
    std::string machine = "auto";
    std::string engine = "auto";
    std::string term;
    bool stats = false;
    std::string profile;
    std::uint64_t max_rewrites = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t memory = 0;
    double timeout = 0;
    std::string output;
    std::string emit;
    bool json = false;
};

void define_options(cli::CommandLine& app, Request& request) {
    app.add_argument(
        "file", request.file,
        "System to rewrite: a .trs file (the paper's language), a .rec file, - for standard input, or a workload as "
        "@NAME,AXIS=VALUE");
    app.add_option("--machine", request.machine, "auto, cpu, emulator or cuda");
    app.add_option("--engine", request.engine, "auto, all_cores, one_core, cpu_as_printed, oracle, as_printed or fast");
    app.add_option("--term", request.term, "Rewrite this term instead of those in the file");
    app.add_flag("--stats", request.stats, "Print rewrites, terms made and time to standard error");
    app.add_option("--profile", request.profile, "Write the number of applications of each rule to this CSV file");
    app.add_option("--max-rewrites", request.max_rewrites, "Stop after this many rewrites (exit code 3)");
    app.add_size("--memory", request.memory, "Stop beyond this many bytes, such as 1000000 or 1GB (exit code 3)");
    app.add_option("--timeout", request.timeout, "Stop after this many seconds (exit code 3)");
    app.add_option("-o,--output", request.output, "Write the normal forms to this file instead of standard output (-)");
    app.add_json(request.json,
                 "Print the statistics as JSON, with the normal forms unless --output writes them to a file");
    app.add_option("--emit", request.emit, "Write the system for another tool: cpp, cuda, maude or ocaml");
    app.add_max_input();
}

Limits limits_of(Request const& request) {
    Limits limits;
    limits.rewrites = request.max_rewrites;
    std::uint64_t const present =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
    limits.memory = request.memory != 0 ? request.memory : present / 4 * 3;
    if (request.timeout > 0)
        limits.seconds = request.timeout;
    return limits;
}

std::string sentence(Outcome const& outcome, Limits const& limits) {
    std::string const rewrites = std::to_string(outcome.rewrites()) + " rewrites";
    switch (outcome.end) {
        case End::too_many_rewrites:
            return "not finished after " + std::to_string(limits.rewrites) + " rewrites (limit) Raise --max-rewrites.";
        case End::out_of_memory:
            return "not finished within " + std::to_string(limits.memory) + " bytes, after " + rewrites +
                   " (limit) Raise --memory.";
        case End::out_of_time:
            return "not finished after " + std::to_string(outcome.seconds) + " seconds and " + rewrites +
                   " (limit) Raise --timeout.";
        default:
            return "finished after " + rewrites;
    }
}

// Totals over the input terms of a file.
struct Totals {
    std::vector<std::uint64_t> applications;
    double seconds = 0;
    double processor_seconds = 0;
    std::uint64_t memory = 0;
    std::optional<std::uint64_t> iterations;
    std::optional<std::uint64_t> max_redexes;
    std::map<std::string, unsigned> found_by;  // winner -> number of terms

    void add(Outcome const& outcome, std::string const& by) {
        if (!by.empty())
            ++found_by[by];
        applications.resize(outcome.applications.size());
        for (std::size_t i = 0; i < applications.size(); ++i)
            applications[i] += outcome.applications[i];
        seconds += outcome.seconds;
        processor_seconds += outcome.processor_seconds;
        memory = std::max(memory, outcome.memory);
        if (outcome.iterations)
            iterations = iterations.value_or(0) + *outcome.iterations;
        if (outcome.max_redexes)
            max_redexes = std::max(max_redexes.value_or(0), *outcome.max_redexes);
    }
};

// Rewrites of all rules, and the terms that they made.
struct Work {
    std::uint64_t rewrites = 0;
    std::uint64_t made = 0;
};

Work work_of(System const& system, Totals const& totals) {
    Work work;
    for (std::size_t rule = 0; rule < totals.applications.size(); ++rule) {
        work.rewrites += totals.applications[rule];
        work.made += totals.applications[rule] * nodes_made(system.terms, system.rules[rule]);
    }
    return work;
}

double rate_of(Work const& work, Totals const& totals) {
    return totals.seconds > 0 ? static_cast<double>(work.rewrites) / totals.seconds : 0;
}

void print_stats(System const& system, Totals const& totals, std::string const& engine) {
    Work const work = work_of(system, totals);
    std::fprintf(stderr, "engine      %s\n", engine.c_str());
    for (auto const& [by, terms] : totals.found_by)
        std::fprintf(stderr, "won by      %s%s\n", by.c_str(),
                     terms > 1 ? (", " + std::to_string(terms) + " terms").c_str() : "");
    std::fprintf(stderr, "rewrites    %llu\n", static_cast<unsigned long long>(work.rewrites));
    std::fprintf(stderr, "terms made  %llu\n", static_cast<unsigned long long>(work.made));
    std::fprintf(stderr, "time        %.6f s\n", totals.seconds);
    std::fprintf(stderr, "processors  %.6f s\n", totals.processor_seconds);
    std::fprintf(stderr, "rewrites/s  %.6g\n", rate_of(work, totals));
    std::fprintf(stderr, "memory      %llu bytes\n", static_cast<unsigned long long>(totals.memory));
    if (totals.iterations)
        std::fprintf(stderr, "iterations  %llu\n", static_cast<unsigned long long>(*totals.iterations));
    if (totals.max_redexes)
        std::fprintf(stderr, "redexes     %llu at most per iteration\n",
                     static_cast<unsigned long long>(*totals.max_redexes));
}

std::string document_of(System const& system, Totals const& totals, std::string const& engine, Outcome const& outcome,
                        std::optional<std::vector<std::string>> const& normal_forms) {
    Work const work = work_of(system, totals);
    auto const number = [](std::optional<std::uint64_t> const& value) {
        return value ? std::to_string(*value) : std::string("null");
    };
    std::vector<cli::JsonMember> won;
    for (auto const& [by, terms] : totals.found_by)
        won.emplace_back(by, std::to_string(terms));
    std::vector<cli::JsonMember> members = {{"engine", cli::json_text(engine)},
                                            {"finished", cli::json_flag(outcome.end == End::finished)},
                                            {"won_by", cli::json_object(won)},
                                            {"rewrites", std::to_string(work.rewrites)},
                                            {"terms_made", std::to_string(work.made)},
                                            {"seconds", cli::json_number(totals.seconds)},
                                            {"processor_seconds", cli::json_number(totals.processor_seconds)},
                                            {"rewrites_per_second", cli::json_number(rate_of(work, totals))},
                                            {"memory_bytes", std::to_string(totals.memory)},
                                            {"iterations", number(totals.iterations)},
                                            {"max_redexes", number(totals.max_redexes)}};
    if (normal_forms) {
        std::vector<std::string> lines;
        for (std::string const& form : *normal_forms)
            lines.push_back(cli::json_text(form));
        members.emplace_back("normal_forms", cli::json_lines(lines));
    }
    return cli::json_document(members);
}

void write_profile(System const& system, Totals const& totals, std::string const& path) {
    std::string text = "rule,location,left,right,applications\n";
    for (std::size_t i = 0; i < totals.applications.size(); ++i) {
        Rule const& rule = system.rules[i];
        text += std::to_string(i) + "," + system.files[rule.location.file] + ":" + std::to_string(rule.location.line) +
                ",\"" + to_string(system, rule.left, &rule) + "\",\"" + to_string(system, rule.right, &rule) + "\"," +
                std::to_string(totals.applications[i]) + "\n";
    }
    bench::write_file_atomically(path, text);
}

// Rewrites a term, and passes the pieces of its normal form on if it has one.
void rewrite_one(System const& system, Engine& engine, TermId input, Limits const& limits, Totals& totals,
                 Write const& write, Outcome& outcome) {
    engine.load(system.terms, input);
    outcome = engine.run(limits);
    totals.add(outcome, engine.found_by());
    if (outcome.end == End::finished)
        engine.write_normal_form(plain_style(system), write);
}

bool goes_to_standard_output(std::string const& path) {
    return path.empty() || path == "-" || bench::output_target(path) == bench::OutputTarget::standard_output;
}

int rewrite(System& system, Request const& request) {
    Limits const limits = limits_of(request);
    std::string chosen;
    std::unique_ptr<Engine> const engine = make_engine(system, request.engine, request.machine, &chosen);
    Output output(request.output);
    // With --json, the normal forms are members of the document.
    bool const collects = request.json && goes_to_standard_output(request.output);
    std::vector<std::string> collected;
    Totals totals;
    Outcome outcome;
    for (TermId const input : system.inputs) {
        std::string form;
        Write const keep = [&](std::string_view piece) { form += piece; };
        Write const print = [&](std::string_view piece) { output.write(piece); };
        rewrite_one(system, *engine, input, limits, totals, collects ? keep : print, outcome);
        if (outcome.end != End::finished)
            break;
        if (collects)
            collected.push_back(std::move(form));
        else
            output.write("\n");
    }
    if (outcome.end == End::finished)
        output.commit();
    if (request.json)
        cli::print_json(document_of(system, totals, chosen, outcome,
                                    collects ? std::optional(std::move(collected)) : std::nullopt));
    if (request.stats)
        print_stats(system, totals, chosen);
    if (!request.profile.empty())
        write_profile(system, totals, request.profile);
    if (outcome.end == End::finished)
        return 0;
    cli::finish_output();  // If the document cannot be printed, that is the one message.
    std::fprintf(stderr, "lockstep: %s\n", sentence(outcome, limits).c_str());
    return 3;
}

// Writes the system for another tool.
int emit(System const& system, Request const& request) {
    bench::require_known("target", request.emit, {"cpp", "cuda", "maude", "ocaml"});
    Output output(request.output);
    Write const write = [&](std::string_view text) { output.write(text); };
    if (request.emit == "cpp")
        write(compiled::generate_cpp(system, request.engine == "all_cores"));
    else if (request.emit == "cuda")
        write(request.engine == "as_printed" ? as_printed::program_text(system, {}).text : generate_cuda(system));
    else if (request.emit == "maude")
        emit_maude(system, write);
    else
        emit_ocaml(system, write);
    output.commit();
    return 0;
}

// Reads a system and the files that it includes, which count together. Only the system itself may be standard input.
System read_system(std::string const& file) {
    std::uint64_t bytes = 0;
    bool is_included = false;
    return parse_system(file, [&](std::string const& path) {
        std::string text = bench::read_input(is_included && path == bench::standard_input ? "./" + path : path,
                                             bench::Input::term_system, bytes);
        bytes += text.size();
        is_included = true;
        return text;
    });
}

}  // namespace

int rewrite_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("rewrite", "Rewrite terms to their normal forms: innermost, rules in the order of the file");
    define_options(app, request);
    app.parse(argc, argv);
    System system = names_workload(request.file) ? named_workload(request.file) : read_system(request.file);
    if (!request.term.empty()) {
        TermId const term = parse_term(system, request.term, "--term");
        system.inputs.assign(1, term);
    }
    if (!request.emit.empty() && request.json)
        throw bench::Error("both --emit and --json", "the text for another tool is no report", "Leave --json out.");
    if (!request.emit.empty())
        return emit(system, request);
    if (system.inputs.empty()) {
        throw bench::Error(request.file + ": no input term", "expected input TERM; or an EVAL section",
                           "Add one, or use --term.");
    }
    return rewrite(system, request);
}

}  // namespace lockstep::term_rewriting
