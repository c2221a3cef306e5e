#pragma once
// Lines of the listing that objdump -d -l --no-show-raw-insn prints.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace lockstep::simt::hooks {

struct Instruction {
    std::uintptr_t address = 0;
    std::string_view name;
    std::string_view operands;
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all);

// "    1139:\tcall   1040 <name@plt>"
std::optional<Instruction> parse_instruction(std::string_view line);

bool is_call(std::string_view name);
// The name of the function that is called: "<name@plt>", "<name>" or "<name+0x12>".
std::string_view callee(Instruction const& call);
// Whether the instruction calls what begins a basic block.
bool begins_block(Instruction const& instruction);

// Calls `read` with each line.
template <class Read>
void for_each_line(std::string_view listing, Read const& read) {
    while (!listing.empty()) {
        std::size_t const end = listing.find('\n');
        read(listing.substr(0, end));
        listing.remove_prefix(end == std::string_view::npos ? listing.size() : end + 1);
    }
}

}  // namespace lockstep::simt::hooks
