#pragma once
// Reads any text as a system and prints its contents. An invalid text must cause a bench::Error; any other failure is
// a bug. tests/fuzz has the fuzz targets of both languages.

#include <string>

#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/language/print.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

// Returns true if the text is a system. An include of any name except "none" reads the text itself.
inline bool parse_any(std::string const& text, bool rec) {
    try {
        std::size_t reads = 0;
        System const system = parse_system(rec ? "fuzz.rec" : "fuzz.trs", [&](std::string const& path) -> std::string {
            // Otherwise a text that includes itself twice would be read exponentially often before it is rejected.
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
