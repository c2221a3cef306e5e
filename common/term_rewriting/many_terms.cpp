#include "common/term_rewriting/many_terms.hpp"

#include <algorithm>
#include <ctime>

namespace lockstep::term_rewriting {

namespace {

void add(Outcome& total, Outcome const& of_run) {
    total.applications.resize(of_run.applications.size());
    for (std::size_t rule = 0; rule < of_run.applications.size(); ++rule)
        total.applications[rule] += of_run.applications[rule];
    total.memory = std::max(total.memory, of_run.memory);
    if (of_run.iterations)
        total.iterations = total.iterations.value_or(0) + *of_run.iterations;
    if (of_run.max_redexes)
        total.max_redexes = std::max(total.max_redexes.value_or(0), *of_run.max_redexes);
}

}  // namespace

ManyTerms rewrite_many(Engine& engine, Terms const& terms, Together const& together, Limits const& limits,
                       std::function<void(TermsOfRun const&)> const& on_forms) {
    ManyTerms many;
    Limits left = limits;
    std::size_t first = 0;
    std::vector<TermId> open = {together.term()};
    while (!open.empty()) {
        TermId const term = open.back();
        open.pop_back();
        engine.load(terms, term);
        std::clock_t const processors = std::clock();
        Outcome const outcome = engine.run(left);
        ++many.runs;
        many.processor_seconds += static_cast<double>(std::clock() - processors) / CLOCKS_PER_SEC;
        many.total.seconds += outcome.seconds;
        left.seconds = std::max(left.seconds - outcome.seconds, 0.0);
        if (outcome.end == End::out_of_memory) {
            if (auto const halves = together.halves(terms, term)) {
                open.push_back(halves->second);
                open.push_back(halves->first);
                continue;
            }
        }
        add(many.total, outcome);
        if (outcome.end == End::finished) {
            std::size_t const count = together.count(terms, term);
            left.rewrites -= outcome.rewrites();
            on_forms({first, count, term, outcome});
            first += count;
            continue;
        }
        many.total.end = outcome.end;
        if (outcome.end != End::out_of_memory)
            return many;
        many.too_large.push_back(first++);
    }
    return many;
}

}  // namespace lockstep::term_rewriting
