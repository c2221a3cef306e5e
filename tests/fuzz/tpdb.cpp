// Term rewrite systems in TPDB's format.

#include "tests/fuzz/systems.hpp"

namespace lockstep::fuzz {

void tpdb(std::string const& input) {
    auto const parse = [](std::string const& text) {
        return term_rewriting::parse_system("input", [&](std::string const&) { return text; });
    };
    System system;
    if (!accepts([&] { system = parse(input); }) || system.language != term_rewriting::Language::tpdb)
        return;
    std::string const printed = tpdb_text(system);
    require(tpdb_text(parse(printed)) == printed, "a printed system is the system");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(tpdb)
