// JSON texts: a text has the value that the library's own parser finds, and what is printed parses as the same value.

#include "harness/bench/json_text.hpp"

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void json(std::string const& input) {
    bench::Json const expected = bench::Json::parse(input, nullptr, false);
    bench::Json value;
    if (!accepts([&] { value = bench::parse_json(input, "input.json"); })) {
        auto const opens = [](char c) { return c == '[' || c == '{'; };
        bool const deep = std::count_if(input.begin(), input.end(), opens) > static_cast<long>(bench::max_json_depth);
        require(expected.is_discarded() || deep, "what the library reads is read");
        return;
    }
    require(value == expected, "the value is the library's");
    std::string const text = value.dump();
    require(bench::parse_json(text, "printed.json") == value, "a printed value is the value");
    require(bench::parse_json(text, "printed.json").dump() == text, "a printed value is printed the same");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(json)
