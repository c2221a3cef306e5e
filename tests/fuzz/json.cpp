// JSON texts: what parses is printed and parses again as the same value.

#include "harness/bench/json_text.hpp"

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void json(std::string const& input) {
    bench::Json value;
    if (!accepts([&] { value = bench::parse_json(input, "input.json"); }))
        return;
    std::string const text = value.dump();
    require(bench::parse_json(text, "printed.json") == value, "a printed value is the value");
    require(bench::parse_json(text, "printed.json").dump() == text, "a printed value is printed the same");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(json)
