// Applies the rules of a text by the installed library, and prints the last pass that changed the state.

#include <iostream>

#include "experiments/rule_interpreter/rule_file_run.hpp"

namespace {

constexpr char const* halve = R"(
column u32 values[8] = i;
rule Halve over values {
    bool condition(State const& s, u32 i) { return s.values[i] != 0; }
    bool evaluate(State& s, u32 i) {
        s.values.set(i, s.values[i] / 2);
        return true;
    }
}
)";

}  // namespace

int main() {
    namespace rule_file = lockstep::rule_interpreter::rule_file;
    auto const file = rule_file::parse_rule_file(halve, "halve.rules");
    auto const results = rule_file::run_rules(file, {.states = 1, .passes = 10, .to_fixed_point = true});
    std::cout << results.last_change.at(0) << '\n';
}
