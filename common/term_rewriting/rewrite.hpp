#pragma once
// Term rewriting as one call: lockstep::rewrite(system, terms). For large terms, limits that are no errors, or counts
// per rule, use an engine itself (engine.hpp).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/term_rewriting/engine.hpp"

namespace lockstep {

namespace term_rewriting {

// Three quarters of this machine's memory, and no other limit.
Limits limits_of_this_machine();

}  // namespace term_rewriting

struct RewriteOptions {
    std::string engine = "auto";   // as `lockstep rewrite --engine`
    std::string machine = "auto";  // auto, cpu, emulator or cuda
    term_rewriting::Limits limits = term_rewriting::limits_of_this_machine();
};

struct Rewritten {
    std::vector<std::string> normal_forms;  // in the order of the terms
    std::uint64_t rewrites = 0;
    std::uint64_t comparisons = 0;  // by generated equalities, for rules that repeat a variable
    std::uint64_t operations = 0;   // on integers
    std::string engine;
    double seconds = 0;  // of rewriting alone
};

// Rewrites the terms, all in one run of the engine. `system` is a text in one of the languages of LANGUAGES.md; it
// includes no files. Without terms, the system's input terms are rewritten. Throws bench::Error for a mistake in a text
// (with its line and column; terms are called "term 1", "term 2" ...), for an unknown engine, for an operation on
// integers without a result, and if a limit ends the run.
Rewritten rewrite(std::string const& system, std::span<std::string const> terms, RewriteOptions const& options = {});

namespace term_rewriting {

// Says what limit ended a run, and after how many rewrites.
std::string limit_that_ended(Outcome const& outcome, Limits const& limits);

}  // namespace term_rewriting

}  // namespace lockstep
