#pragma once
// Asks programs of binutils (or LLVM) about this program's own code.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::simt::hooks {

// The program or library that holds an instruction, and where it is loaded.
struct Module {
    std::string path;
    std::uintptr_t bias;
};
std::optional<Module> module_of(std::uintptr_t pc);

// Programs that list machine code. The first one that is installed does.
inline constexpr char const* disassemblers[] = {"objdump", "llvm-objdump", "llvm-objdump-14"};

// What the program prints; empty if it does not exist or fails.
std::string output_of(std::vector<std::string> const& command);

std::string hexadecimal(std::uintptr_t value);

}  // namespace lockstep::simt::hooks
