#pragma once
// What the fuzzer and the replay of its corpus do with an input: read it as a system, and print what it has. An input
// that is refused must be refused by a bench::Error; everything else that happens is a finding.

#include <string>

#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/language/print.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

// True where the text is a system. An include finds the text itself under any name but "none".
inline bool parse_any(std::string const& text, bool rec) {
    try {
        std::size_t reads = 0;
        System const system = parse_system(rec ? "fuzz.rec" : "fuzz.trs", [&](std::string const& path) -> std::string {
            // A text that includes itself twice would otherwise be read exponentially often before it is refused.
            if (path == "none" || ++reads > 4)
                throw bench::Error("cannot read " + path, "no such file");
            return text;
        });
        std::size_t size = 0;
        for (Rule const& rule : system.rules)
            size += to_string(system, rule.left, &rule).size() + to_string(system, rule.right, &rule).size();
        for (TermId const input : system.inputs)
            size += to_string(system, input).size();
        return size > 0 || system.symbols.empty() || system.rules.empty();
    } catch (bench::Error const&) {
        return false;
    }
}

}  // namespace lockstep::term_rewriting
