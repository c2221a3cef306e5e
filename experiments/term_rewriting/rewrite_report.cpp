#include "experiments/term_rewriting/rewrite_report.hpp"

#include <cstdio>

#include "common/term_rewriting/language/print.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "common/term_rewriting/rewrite.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/cli/json_output.hpp"

namespace lockstep::term_rewriting {

namespace {

// Rewrites by the user's rules, the terms that they made, and comparisons by generated equalities.
struct Work {
    RuleCounts counts;
    std::uint64_t made = 0;
};

Work work_of(System const& system, Outcome const& outcome) {
    Work work;
    work.counts = system.counts_of(outcome.applications);
    for (std::size_t rule = 0; rule < outcome.applications.size(); ++rule) {
        if (system.rules[rule].origin == Origin::user)
            work.made += outcome.applications[rule] * nodes_made(system.terms, system.rules[rule]);
    }
    return work;
}

double rate_of(Work const& work, Outcome const& outcome) {
    return outcome.seconds > 0 ? static_cast<double>(work.counts.rewrites) / outcome.seconds : 0;
}

bool has_equalities(System const& system) {
    return !system.rules.empty() && system.rules.back().origin == Origin::internal;
}

}  // namespace

std::string sentence(Outcome const& outcome, Limits const& limits) {
    char const* const option = outcome.end == End::too_many_rewrites ? "--max-rewrites"
                               : outcome.end == End::out_of_memory   ? "--memory"
                                                                     : "--timeout";
    return limit_that_ended(outcome, limits) + " (limit) Raise " + option + ".";
}

void print_stats(System const& system, Run const& run) {
    Outcome const& outcome = run.outcome;
    Work const work = work_of(system, outcome);
    std::fprintf(stderr, "engine      %s\n", run.engine.c_str());
    if (!run.found_by.empty())
        std::fprintf(stderr, "won by      %s\n", run.found_by.c_str());
    std::fprintf(stderr, "rewrites    %llu\n", static_cast<unsigned long long>(work.counts.rewrites));
    if (has_equalities(system))
        std::fprintf(stderr, "comparisons %llu\n", static_cast<unsigned long long>(work.counts.comparisons));
    if (system.integers)
        std::fprintf(stderr, "operations  %llu\n", static_cast<unsigned long long>(work.counts.operations));
    std::fprintf(stderr, "terms made  %llu\n", static_cast<unsigned long long>(work.made));
    std::fprintf(stderr, "time        %.6f s\n", outcome.seconds);
    std::fprintf(stderr, "processors  %.6f s\n", run.processor_seconds);
    std::fprintf(stderr, "rewrites/s  %.6g\n", rate_of(work, outcome));
    std::fprintf(stderr, "memory      %llu bytes\n", static_cast<unsigned long long>(outcome.memory));
    if (outcome.iterations)
        std::fprintf(stderr, "iterations  %llu\n", static_cast<unsigned long long>(*outcome.iterations));
    if (outcome.max_redexes)
        std::fprintf(stderr, "redexes     %llu at most per iteration\n",
                     static_cast<unsigned long long>(*outcome.max_redexes));
}

std::string document_of(System const& system, Run const& run,
                        std::optional<std::vector<std::string>> const& normal_forms) {
    Outcome const& outcome = run.outcome;
    Work const work = work_of(system, outcome);
    auto const number = [](std::optional<std::uint64_t> const& value) {
        return value ? std::to_string(*value) : std::string("null");
    };
    std::vector<cli::JsonMember> won;
    if (!run.found_by.empty())
        won.emplace_back(run.found_by, "1");
    std::vector<cli::JsonMember> members = {{"engine", cli::json_text(run.engine)},
                                            {"finished", cli::json_flag(outcome.end == End::finished)},
                                            {"won_by", cli::json_object(won)},
                                            {"rewrites", std::to_string(work.counts.rewrites)},
                                            {"comparisons", std::to_string(work.counts.comparisons)},
                                            {"operations", std::to_string(work.counts.operations)},
                                            {"terms_made", std::to_string(work.made)},
                                            {"seconds", cli::json_number(outcome.seconds)},
                                            {"processor_seconds", cli::json_number(run.processor_seconds)},
                                            {"rewrites_per_second", cli::json_number(rate_of(work, outcome))},
                                            {"memory_bytes", std::to_string(outcome.memory)},
                                            {"iterations", number(outcome.iterations)},
                                            {"max_redexes", number(outcome.max_redexes)}};
    if (normal_forms) {
        std::vector<std::string> lines;
        for (std::string const& form : *normal_forms)
            lines.push_back(cli::json_text(form));
        members.emplace_back("normal_forms", cli::json_lines(lines));
    }
    return cli::json_document(members);
}

void write_profile(System const& system, Outcome const& outcome, std::string const& path) {
    std::string text = "rule,location,left,right,applications\n";
    for (std::size_t i = 0; i < outcome.applications.size(); ++i) {
        Rule const& rule = system.rules[i];
        text += std::to_string(i) + "," + system.files[rule.location.file] + ":" + std::to_string(rule.location.line) +
                ",\"" + to_string(system, rule.left, &rule) + "\",\"" + to_string(system, rule.right, &rule) + "\"," +
                std::to_string(outcome.applications[i]) + "\n";
    }
    bench::write_file_atomically(path, text);
}

}  // namespace lockstep::term_rewriting
