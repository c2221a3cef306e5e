#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "baselines/term_rewriting/emit.hpp"
#include "common/term_rewriting/language/binary_terms.hpp"
#include "common/term_rewriting/language/integers.hpp"
#include "common/term_rewriting/language/together.hpp"
#include "common/term_rewriting/many_terms.hpp"
#include "experiments/term_rewriting/command.hpp"
#include "experiments/term_rewriting/output.hpp"
#include "experiments/term_rewriting/rewrite_report.hpp"
#include "experiments/term_rewriting/rewrite_request.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/output_target.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/process.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"
#include "reference_cpu/term_rewriting/check_operations.hpp"
#include "reference_cpu/term_rewriting/oracle_engine.hpp"

namespace lockstep::term_rewriting {

namespace {

bool goes_to_standard_output(std::string const& path) {
    return path.empty() || path == "-" || bench::output_target(path) == bench::OutputTarget::standard_output;
}

// Prints each rewrite as it happens, so that a trace ends where a limit ends the run.
OnRewrite tracer(System const& system, std::uint64_t max) {
    return {max, [&system, number = std::uint64_t{0}](Rewrite const& rewrite) mutable {
                Rule const& rule = system.rules[rewrite.rule];
                std::fprintf(stderr, "%llu  rule %u, %s:%u%s  %s -> %s\n", static_cast<unsigned long long>(++number),
                             rewrite.rule, system.files[rule.location.file].c_str(), rule.location.line,
                             rule.origin == Origin::internal ? " (equality)" : "", rewrite.redex.c_str(),
                             rewrite.contractum.c_str());
            }};
}

// A system and its engine, which may be busy with what no result needs when the command ends.
struct Job {
    System system;
    std::unique_ptr<Engine> engine;
};

// All terms, in one run if they fit in memory together.
// The engine of the request. A term that several share is rewritten once only where terms are graphs.
std::string engine_of(System const& system, Request const& request) {
    bool const as_graphs = request.engine == "oracle" || request.engine.find("as_printed") != std::string::npos;
    if (!system.shares_redexes || as_graphs)
        return request.engine;
    bool const on_cpu = request.machine == "auto" || request.machine == "cpu";
    if (request.engine != "auto" || !on_cpu)
        throw bench::Error("engine " + request.engine + " does not rewrite terms that share unevaluated parts",
                           "it would rewrite such a part once per place", "Use --engine oracle --machine cpu.");
    return "oracle";
}

class Rewriting {
public:
    Rewriting(System&& system, Request const& request)
        : request_(request),
          job_(std::make_shared<Job>(Job{std::move(system), nullptr})),
          together_(job_->system, job_->system.inputs) {
        cli::keep_until_exit(job_, [job = job_.get()] { return job->engine != nullptr && job->engine->is_busy(); });
        job_->engine = request.trace != 0
                           ? make_oracle(job_->system, tracer(job_->system, request.trace))
                           : make_engine(job_->system, engine_of(job_->system, request), request.machine, &run_.engine);
        if (request.trace != 0)
            run_.engine = "oracle";
    }

    int finish() {
        Output output(request_.output);
        Limits limits = limits_of(request_);
        limits.stop_after = rules_without_result(job_->system);
        std::optional<std::vector<std::string>> collected;
        if (request_.json && goes_to_standard_output(request_.output))
            collected.emplace();
        ManyTerms const many =
            rewrite_many(*job_->engine, job_->system.terms, together_, limits, [&](TermsOfRun const& of_run) {
                check_operations(job_->system, of_run.term, of_run.outcome.applications, limits);
                skip_to(of_run.first, output, collected);
                write(output, collected);
                written_ += of_run.count;
            });
        run_.outcome = many.total;
        run_.processor_seconds = many.processor_seconds;
        if (run_.outcome.end != End::finished)
            check_operations(job_->system, together_.term(), run_.outcome.applications, limits);
        run_.found_by = job_->engine->found_by();
        bool const finished = run_.outcome.end == End::finished;
        std::size_t const terms = job_->system.inputs.size();
        if (finished || (written_ != 0 && !many.too_large.empty())) {
            skip_to(written_ == 0 ? 0 : terms, output, collected);
            if (request_.format == "binary")
                write_binary_terms(job_->system, forms_, form_terms_,
                                   [&](std::string_view piece) { output.write(piece); });
            output.commit();
        }
        report(collected);
        if (finished)
            return 0;
        cli::finish_output();  // If the document cannot be printed, that is the one message.
        std::string const which = terms > 1 ? numbers_of(many.too_large, terms) : std::string();
        std::fprintf(stderr, "lockstep: %s%s\n", which.c_str(), sentence(run_.outcome, limits).c_str());
        return 3;
    }

private:
    // Says which terms are too large, the first few of them. Terms count from 1.
    static std::string numbers_of(std::vector<std::size_t> const& too_large, std::size_t terms) {
        if (too_large.empty())
            return {};
        constexpr std::size_t max_shown = 5;
        std::string text = too_large.size() == 1 ? "term " : "terms ";
        for (std::size_t i = 0; i < too_large.size() && i < max_shown; ++i)
            text += (i == 0 ? "" : ", ") + std::to_string(too_large[i] + 1);
        return text + (too_large.size() > max_shown ? " and more of " : " of ") + std::to_string(terms) + ": ";
    }

    // Line i is for term i: that of a term that is too large is empty.
    void skip_to(std::size_t term, Output& output, std::optional<std::vector<std::string>>& collected) {
        for (; written_ < term; ++written_) {
            if (collected)
                collected->emplace_back();
            else if (request_.format != "binary")
                output.write("\n");
        }
    }

    // With --json, the normal forms are members of the document.
    void write(Output& output, std::optional<std::vector<std::string>>& collected) {
        Engine& engine = *job_->engine;
        Write const print = [&](std::string_view piece) { output.write(piece); };
        if (request_.format == "binary") {
            TermId const form = engine.normal_form(forms_);
            for (TermId const one : together_.apart(forms_, form))
                form_terms_.push_back(one);
        } else if (collected) {
            std::string text;
            engine.write_normal_form(plain_style(job_->system),
                                     together_.lines([&](std::string_view piece) { text += piece; }));
            std::istringstream lines(text);
            for (std::string line; std::getline(lines, line);)
                collected->push_back(line);
        } else {
            engine.write_normal_form(plain_style(job_->system), together_.lines(print));
            output.write("\n");
        }
    }

    void report(std::optional<std::vector<std::string>> const& collected) const {
        System const& system = job_->system;
        if (request_.json)
            cli::print_json(document_of(system, run_, collected));
        if (request_.stats)
            print_stats(system, run_);
        if (!request_.profile.empty())
            write_profile(system, run_.outcome, request_.profile);
    }

    Request const& request_;
    std::shared_ptr<Job> job_;
    Together together_;
    Run run_;
    std::size_t written_ = 0;  // terms
    Terms forms_;              // for the binary format
    std::vector<TermId> form_terms_;
};

// Writes the system for another tool.
int emit(System const& system, Request const& request) {
    bench::require_known("target", request.emit, {"cpp", "cuda", "maude", "ocaml"});
    if (request.emit == "maude" || request.emit == "ocaml")
        refuse_integers(system, "--emit " + request.emit);
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

}  // namespace

int rewrite_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("rewrite", "Rewrite terms to their normal forms: innermost, rules in the order of the file");
    define_options(app, request);
    app.parse(argc, argv);
    check(request);
    cli::require_distinct_files({request.file, request.terms}, {request.output, request.profile});
    System system = read_input_of(request);
    if (!request.emit.empty())
        return emit(system, request);
    if (system.inputs.empty()) {
        throw bench::Error(request.file + ": no input term", "it has neither input TERM; nor an EVAL section",
                           "Use --term TERM or --terms FILE.");
    }
    return Rewriting(std::move(system), request).finish();
}

}  // namespace lockstep::term_rewriting
