// Term rewrite systems in REC. What follows a line --- is the text of the files that the system includes.

#include "tests/fuzz/systems.hpp"

namespace lockstep::fuzz {

void rec(std::string const& input) {
    // Not a structured binding, which clang 14 does not capture.
    std::pair<std::string, std::string> const parts = two_parts(input);
    auto const parse = [&](std::string const& main) {
        std::size_t reads = 0;
        return term_rewriting::parse_system("input.rec", [&](std::string const& path) -> std::string {
            constexpr std::size_t max_reads = 6;
            if (reads++ == 0)
                return main;
            if (parts.second.empty() || reads > max_reads)
                throw bench::Error("cannot read " + path, "no such file");
            return parts.second;
        });
    };
    System system;
    if (!accepts([&] { system = parse(parts.first); }) ||
        has_name_among(system, {"REC-SPEC", "SORTS", "CONS", "OPNS", "OPS", "VARS", "RULES", "EVAL", "END-SPEC", "if",
                                "and", "and-if"}))
        return;
    std::string const printed = rec_text(system);
    require(rec_text(parse(printed)) == printed, "a printed system is the system");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(rec)
