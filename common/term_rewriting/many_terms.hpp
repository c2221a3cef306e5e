#pragma once
// Rewrites many terms in one run of an engine. If they do not fit in memory together, their two halves are rewritten
// one after the other, and so on. So one term that needs too much memory costs no result of the others.

#include <cstddef>
#include <functional>
#include <vector>

#include "common/term_rewriting/engine.hpp"
#include "common/term_rewriting/language/together.hpp"

namespace lockstep::term_rewriting {

// Terms that were rewritten in one run: their numbers are first to first + count - 1, and `term` is all of them as one.
struct TermsOfRun {
    std::size_t first;
    std::size_t count;
    TermId term;
    Outcome const& outcome;
};

struct ManyTerms {
    Outcome total;                       // seconds of all runs; counts without those that halves repeated
    double processor_seconds = 0;        // CPU seconds of all cores in that time
    std::vector<std::size_t> too_large;  // numbers of the terms that need too much memory, from 0, in order
    std::size_t runs = 0;                // 1 if all terms fit together
};

// Calls on_forms() in order, after each run that gave normal forms, which are one normal form of the engine (Together).
// Ends early for every reason but memory. `terms` are those that
// `together` was made of. Limits of rewrites and time hold for all runs together.
ManyTerms rewrite_many(Engine& engine, Terms const& terms, Together const& together, Limits const& limits,
                       std::function<void(TermsOfRun const&)> const& on_forms);

}  // namespace lockstep::term_rewriting
