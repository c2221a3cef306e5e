#include "harness/simt/hooks/listing.hpp"

#include <algorithm>
#include <charconv>

namespace lockstep::simt::hooks {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), text) != all.end();
}

std::optional<Instruction> parse_instruction(std::string_view line) {
    std::size_t const begin = line.find_first_not_of(' ');
    std::size_t const colon = line.find(":\t");
    if (begin == 0 || begin == std::string_view::npos || colon == std::string_view::npos) {
        return std::nullopt;
    }
    Instruction instruction;
    std::from_chars(line.data() + begin, line.data() + colon, instruction.address, 16);
    std::string_view rest = line.substr(colon + 2);
    do {
        std::size_t const end = std::min(rest.find(' '), rest.size());
        instruction.name = rest.substr(0, end);
        rest.remove_prefix(std::min(rest.find_first_not_of(' ', end), rest.size()));
    } while (!rest.empty() && is_one_of(instruction.name, {"data16", "rex.W", "cs", "notrack", "bnd", "addr32"}));
    instruction.operands = rest;
    return instruction;
}

bool is_call(std::string_view name) { return is_one_of(name, {"call", "callq", "bl", "blr"}); }

std::string_view callee(Instruction const& call) {
    std::size_t const begin = call.operands.find('<');
    if (begin == std::string_view::npos) {
        return {};
    }
    std::string_view const name = call.operands.substr(begin + 1);
    return name.substr(0, name.find_first_of(">+@"));
}

bool begins_block(Instruction const& instruction) {
    return is_call(instruction.name) && callee(instruction) == "__sanitizer_cov_trace_pc";
}

}  // namespace lockstep::simt::hooks
