// Term rewrite systems in the paper's language.

#include "tests/fuzz/systems.hpp"

namespace lockstep::fuzz {

void trs(std::string const& input) {
    auto const parse = [](std::string const& text) {
        return term_rewriting::parse_system("input.trs", [&](std::string const&) { return text; });
    };
    System system;
    if (!accepts([&] { system = parse(input); }) || system.language != term_rewriting::Language::paper ||
        has_name_among(system, {"sort", "var", "eqn", "input", "Input"}))
        return;
    std::string const printed = paper_text(system);
    require(paper_text(parse(printed)) == printed, "a printed system is the system");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(trs)
