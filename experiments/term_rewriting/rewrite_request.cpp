#include "experiments/term_rewriting/rewrite_request.hpp"

#include <utility>

#include "common/term_rewriting/language/binary_terms.hpp"
#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/rewrite.hpp"
#include "experiments/term_rewriting/named_workload.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"

namespace lockstep::term_rewriting {

void define_options(cli::CommandLine& app, Request& request) {
    app.add_argument("file", request.file,
                     "System to rewrite: a .trs file (the paper's language or TPDB's), a .rec file, - for standard "
                     "input, or a workload as @NAME,AXIS=VALUE");
    app.add_option("--machine", request.machine, "auto, cpu, emulator or cuda");
    app.add_option("--engine", request.engine, "auto, all_cores, one_core, cpu_as_printed, oracle, as_printed or fast");
    app.add_option("--term", request.term, "Rewrite this term instead of those in the file");
    app.add_option("--terms", request.terms,
                   "Rewrite the terms of this file, one per line or binary, instead; - for standard input");
    app.add_option("--trace", request.trace,
                   "Print the first N rewrites of engine oracle to standard error: rule, line, redex, contractum");
    app.add_flag("--stats", request.stats, "Print rewrites, terms made and time to standard error");
    app.add_option("--profile", request.profile, "Write the number of applications of each rule to this CSV file");
    app.add_option("--max-rewrites", request.max_rewrites, "Stop after this many rewrites (exit code 3)");
    app.add_size(
        "--memory", request.memory,
        "Stop if memory use exceeds this size, such as 1000000 or 1GB (exit code 3); default: three quarters of "
        "the machine's memory");
    app.add_option("--timeout", request.timeout,
                   "Stop rewriting after this many seconds, compiling apart (exit code 3); 0: no limit");
    app.add_option("-o,--output", request.output, "Write the normal forms to this file instead of standard output (-)");
    app.add_option("--format", request.format, "Write the normal forms as text, or as binary, which --terms reads");
    app.add_json(request.json,
                 "Print the statistics as JSON, with the normal forms unless --output writes them to a file");
    app.add_option("--emit", request.emit, "Write the system for another tool: cpp, cuda, maude or ocaml");
    app.add_max_input();
}

namespace {

// --emit cpp reads one_core and all_cores, --emit cuda reads as_printed.
bool emit_reads_engine(Request const& request) {
    if (request.emit == "cpp")
        return request.engine == "one_core" || request.engine == "all_cores";
    return request.emit == "cuda" && request.engine == "as_printed";
}

// Throws bench::Error for options of a run: nothing is rewritten.
void check_emit(Request const& request) {
    struct Ignored {
        char const* option;
        bool is_given;
    };
    for (Ignored const& ignored : {Ignored{"--trace", request.trace != 0}, Ignored{"--stats", request.stats},
                                   Ignored{"--profile", !request.profile.empty()},
                                   Ignored{"--engine", request.engine != "auto" && !emit_reads_engine(request)},
                                   Ignored{"--timeout", request.timeout != 0}, Ignored{"--memory", request.memory != 0},
                                   Ignored{"--max-rewrites", request.max_rewrites != Request().max_rewrites}}) {
        if (!request.emit.empty() && ignored.is_given)
            throw bench::Error(std::string(ignored.option) + " has no effect with --emit",
                               "the system is written, not run", "Leave one of them out.");
    }
}

}  // namespace

void check(Request& request) {
    if (!request.emit.empty() && request.json)
        throw bench::Error("both --emit and --json", "the text for another tool is no report", "Leave --json out.");
    check_emit(request);
    bench::require_known("format", request.format, {"text", "binary"});
    if (request.format == "binary" && (request.json || !request.emit.empty()))
        throw bench::Error("--format binary with --json or --emit", "they write text", "Leave it out.");
    if (!request.term.empty() && !request.terms.empty())
        throw bench::Error("both --term and --terms", "each names the terms to rewrite", "Leave one of them out.");
    if (request.terms == bench::standard_input && request.file == bench::standard_input)
        throw bench::Error("both the system and --terms are standard input", "it can be read once", "Name a file.");
    if (request.trace == 0)
        return;
    if (request.engine != "auto" && request.engine != "oracle")
        throw bench::Error("no --trace of engine " + request.engine, "only the oracle rewrites in one order",
                           "Use --engine oracle.");
    request.engine = "oracle";
}

Limits limits_of(Request const& request) {
    Limits limits = limits_of_this_machine();
    limits.rewrites = request.max_rewrites;
    if (request.memory != 0)
        limits.memory = request.memory;
    if (request.timeout > 0)
        limits.seconds = request.timeout;
    return limits;
}

namespace {

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

System read_input_of(Request const& request) {
    System system = names_workload(request.file) ? named_workload(request.file) : read_system(request.file);
    if (!request.term.empty()) {
        TermId const term = parse_term(system, request.term, "--term");
        system.inputs.assign(1, term);
    }
    if (!request.terms.empty()) {
        std::string const text = bench::read_input(request.terms, bench::Input::term_system);
        std::vector<TermId> terms = is_binary_terms(text) ? read_binary_terms(system, text, request.terms)
                                                          : parse_terms(system, text, request.terms);
        if (terms.empty())
            throw bench::Error(request.terms + ": no term", "expected one per line", "Write one.");
        system.inputs = std::move(terms);
    }
    return system;
}

}  // namespace lockstep::term_rewriting
