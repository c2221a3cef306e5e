#pragma once
// What `lockstep rewrite` says about a run, beside the normal forms.

#include <optional>
#include <string>
#include <vector>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

struct Run {
    std::string engine;
    std::string found_by;
    Outcome outcome;
    double processor_seconds = 0;
};

// Says what limit ended a run.
std::string sentence(Outcome const& outcome, Limits const& limits);

// Prints the statistics to standard error.
void print_stats(System const& system, Run const& run);

std::string document_of(System const& system, Run const& run,
                        std::optional<std::vector<std::string>> const& normal_forms);

// Writes the applications of each rule as CSV.
void write_profile(System const& system, Outcome const& outcome, std::string const& path);

}  // namespace lockstep::term_rewriting
