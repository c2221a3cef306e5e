// Rule files, as `interpret --rules-file` reads them before it compiles them.

#include <algorithm>

#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void rules(std::string const& input) {
    using namespace rule_interpreter::rule_file;
    RuleFile file;
    if (!accepts([&] { file = parse_rule_file(input, "own.rules"); }))
        return;
    require(!file.rules.empty() && !file.columns.empty(), "a rule file has rules and columns");
    require(std::count(file.code.begin(), file.code.end(), '\n') == std::count(input.begin(), input.end(), '\n'),
            "the code has the lines of the file");
    for (RuleLine const& rule : file.rules)
        require(!rule.over || *rule.over < file.columns.size(), "a rule is over a column");
    accepts([&] {
        for (std::uint64_t const size : column_sizes(file, parameter_bits(file, {})))
            require(size <= max_size, "sizes are bounded");
    });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(rules)
