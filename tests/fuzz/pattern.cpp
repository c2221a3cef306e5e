// Patterns over names: a line with the pattern, then a line with the name. Short ones match what std::regex matches.

#include "harness/bench/pattern.hpp"

#include <optional>
#include <regex>

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

namespace {

// std::regex takes too long for longer ones, even in linear time: its default takes exponential time. It rejects some
// that Pattern reads.
std::optional<std::regex> standard_regex(std::string const& text) {
    constexpr std::size_t max_length = 12;
    if (text.size() > max_length || text.find('{') != std::string::npos)
        return std::nullopt;
    try {
        return std::regex(text, std::regex::ECMAScript | std::regex_constants::__polynomial);
    } catch (std::regex_error const&) {
        return std::nullopt;
    }
}

bool is_name(std::string const& text) {
    constexpr std::size_t max_length = 6;
    return text.size() <= max_length &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

void pattern(std::string const& input) {
    std::size_t const end = std::min(input.find('\n'), input.size());
    std::string const text = input.substr(0, end);
    std::string const name = input.substr(std::min(end + 1, input.size()));
    std::optional<bench::Pattern> pattern;
    if (!accepts([&] { pattern.emplace(text, "--variant"); }))
        return;
    require(text.size() <= bench::Pattern::max_length && pattern->states() <= bench::Pattern::max_states,
            "a pattern has limits");
    for (bool const anywhere : {false, true}) {
        require(pattern->steps(name, anywhere) <= pattern->states() * (name.size() + 1), "matching takes linear time");
        require(!pattern->matches(name) || pattern->is_in(name), "a pattern that matches the name is in it");
    }
    if (!is_name(name))
        return;
    if (std::optional<std::regex> const standard = standard_regex(text)) {
        require(pattern->matches(name) == std::regex_match(name, *standard), "matches() is std::regex_match");
        require(pattern->is_in(name) == std::regex_search(name, *standard), "is_in() is std::regex_search");
    }
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(pattern)
