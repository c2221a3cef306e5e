#include "harness/simt/hooks/logic_chains.hpp"

#include <algorithm>
#include <vector>

#include "harness/simt/hooks/addressing.hpp"

namespace lockstep::simt::hooks {
namespace {

bool is_logic(Instruction const& instruction) {
    return is_one_of(instruction.name, {"and", "andl", "andq", "or", "orl", "orq", "xor", "xorl", "xorq"});
}

bool only_reads(Instruction const& instruction) {
    return instruction.name.starts_with('j') || instruction.name.starts_with("cmp") ||
           instruction.name.starts_with("test") || instruction.name == "push";
}

}  // namespace

bool LogicChains::joins(Instruction const& instruction) {
    std::vector<std::string> const locations = locations_in(instruction);
    bool const has_two = locations.size() == 2;
    if (has_two && is_one_of(instruction.name, {"mov", "movl", "movq"}) && results_.contains(locations[0])) {
        results_.insert(locations[1]);
        return false;
    }
    // `xor %eax,%eax` is a constant.
    if (!is_logic(instruction) || locations.empty() || (has_two && locations[0] == locations[1])) {
        interrupt(instruction);
        return false;
    }
    bool const joined = std::any_of(locations.begin(), locations.end(),
                                    [&](std::string const& location) { return results_.contains(location); });
    if (joined) {
        results_.erase(locations.back());
    } else {
        results_.insert(locations.back());
    }
    return joined;
}

void LogicChains::interrupt(Instruction const& instruction) {
    if (is_call(instruction.name)) {
        for (char const* lost_in_calls : {"ax", "cx", "dx", "si", "di", "r8", "r9", "r10", "r11"}) {
            results_.erase(lost_in_calls);
        }
    } else if (!only_reads(instruction)) {
        if (std::vector<std::string> const locations = locations_in(instruction); !locations.empty()) {
            results_.erase(locations.back());
        }
    }
}

}  // namespace lockstep::simt::hooks
