#include "common/term_rewriting/rewrite.hpp"

#include <memory>
#include <string_view>

#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/language/together.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/host_memory.hpp"
#include "reference_cpu/term_rewriting/check_operations.hpp"

namespace lockstep {

namespace term_rewriting {

Limits limits_of_this_machine() {
    Limits limits;
    if (std::uint64_t const present = bench::host_memory(); present != 0)
        limits.memory = present / 4 * 3;
    return limits;
}

std::string limit_that_ended(Outcome const& outcome, Limits const& limits) {
    std::string const rewrites = std::to_string(outcome.rewrites()) + " rewrites";
    switch (outcome.end) {
        case End::too_many_rewrites:
            return "not finished after " + std::to_string(limits.rewrites) + " rewrites";
        case End::out_of_memory:
            return "not finished within " + std::to_string(limits.memory) + " bytes, after " + rewrites;
        case End::out_of_time:
            return "not finished after " + std::to_string(outcome.seconds) + " seconds and " + rewrites;
        case End::stopped:
            return "stopped after " + rewrites;
        default:
            return "finished after " + rewrites;
    }
}

}  // namespace term_rewriting

namespace {

using namespace term_rewriting;

System read_text(std::string const& text) {
    bool is_included = false;
    return parse_system("system", [&](std::string const& path) {
        if (is_included)
            throw bench::Error("no file " + path, "the text of a system includes none", "Insert the text of the file.");
        is_included = true;
        return text;
    });
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    std::string_view rest = text;
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
        lines.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    lines.emplace_back(rest);
    return lines;
}

}  // namespace

Rewritten rewrite(std::string const& text, std::span<std::string const> terms, RewriteOptions const& options) {
    System system = read_text(text);
    if (!terms.empty())
        system.inputs = parse_each(system, terms);
    if (system.inputs.empty())
        throw bench::Error("no term to rewrite", "there are no terms, and the system has no input term", "Give one.");
    Together const together(system, system.inputs);
    Rewritten rewritten;
    std::unique_ptr<Engine> const engine = make_engine(system, options.engine, options.machine, &rewritten.engine);
    engine->load(system.terms, together.term());
    Limits limits = options.limits;
    limits.stop_after = rules_without_result(system);
    Outcome const outcome = engine->run(limits);
    check_operations(system, together.term(), outcome.applications, limits);
    if (outcome.end != End::finished)
        throw bench::Error(limit_that_ended(outcome, limits), "limit", "Raise the limit.");
    std::string forms;
    engine->write_normal_form(plain_style(system), together.lines([&](std::string_view piece) { forms += piece; }));
    rewritten.normal_forms = lines_of(forms);
    RuleCounts const counts = system.counts_of(outcome.applications);
    rewritten.rewrites = counts.rewrites;
    rewritten.comparisons = counts.comparisons;
    rewritten.operations = counts.operations;
    rewritten.seconds = outcome.seconds;
    return rewritten;
}

}  // namespace lockstep
