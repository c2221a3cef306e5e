#pragma once
// Shared by the tests of term rewriting: the systems of the source tree, engines by name, and a run with all its
// results.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "baselines/term_rewriting/compiled/compiled_engine.hpp"
#include "baselines/term_rewriting/cpu_as_printed/printed_engine.hpp"
#include "common/term_rewriting/engine.hpp"
#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/language/print.hpp"
#include "harness/bench/atomic_file.hpp"
#include "reference_cpu/term_rewriting/oracle_engine.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::term_rewriting {

// Under a sanitizer, tests use fewer systems or smaller terms.
using lockstep::tests::sanitized;
// compute-sanitizer needs smaller terms too, but of all systems.
inline bool const shortened = sanitized || lockstep::tests::under_compute_sanitizer();

inline std::string const systems_folder = "experiments/term_rewriting/systems/";

inline System parse_text(std::string const& text, std::string const& name = "text.trs") {
    return parse_system(name, [&](std::string const&) { return text; });
}

struct NamedEngine {
    std::string name;
    std::unique_ptr<Engine> engine;
};

// Four workers even on one core, so that they share tasks.
inline std::vector<NamedEngine> all_engines(System const& system) {
    std::vector<NamedEngine> engines;
    engines.push_back({"oracle", make_oracle(system)});
    engines.push_back({"as printed", make_printed_engine(system)});
    engines.push_back({"one core", make_compiled_engine(system, 1)});
    engines.push_back({"four workers", make_compiled_engine(system, 4)});
    engines.push_back({"race of both", begin_compiled_engine(system, 4).make()});
    return engines;
}

// Every worker reserves addresses for its stacks, and ThreadSanitizer shadows all of them.
inline Limits test_limits() {
    Limits limits;
    limits.memory = std::uint64_t{1} << 29;
    limits.seconds = 300;
    limits.rewrites = std::uint64_t{1} << 60;  // a counted run of `fast` is divided into launches
    return limits;
}

struct Ran {
    Outcome outcome;
    Terms terms;
    TermId normal_form = 0;
};

inline Ran run_engine(Engine& engine, Terms const& terms, TermId input, Limits const& limits = test_limits()) {
    Ran ran;
    engine.load(terms, input);
    ran.outcome = engine.run(limits);
    if (ran.outcome.end == End::finished)
        ran.normal_form = engine.normal_form(ran.terms);
    return ran;
}

}  // namespace lockstep::term_rewriting
