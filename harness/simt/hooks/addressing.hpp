#pragma once
// How many instructions of a basic block only compute the addresses of its accesses. A GPU can execute them before a
// branch, and has displacements in its accesses, so they do not make the side of a branch longer.

#include <set>
#include <string>
#include <vector>

#include "harness/simt/hooks/listing.hpp"

namespace lockstep::simt::hooks {

// Of the instructions that cost something (machine_costs.hpp). Known for x86-64, where the instrumentation's first
// argument is the address.
unsigned addressing_of(std::vector<Instruction> const& block);

// What an instruction makes of a location (a register or a place on the stack): nothing, that of another one, that of
// another one plus a constant, or something else.
struct Change {
    enum class Kind { none, copy, step, other };
    Kind kind = Kind::none;
    std::string from{};
};
Change change_of(Instruction const& instruction, std::string const& location);
// Whether the instruction adds a constant to a location.
bool is_step(Instruction const& instruction);
// The locations among the operands.
std::vector<std::string> locations_in(Instruction const& instruction);

// Finds the reads of threadIdx and the like, which are registers on a GPU and variables of the CPU thread here.
class BuiltInVariables {
public:
    // Each instruction of a function, in the order of the listing.
    void follow(Instruction const& instruction);
    // Whether the address that is passed to the instrumentation is that of such a variable.
    bool are_read() const { return pointers_.contains("di"); }
    void end_function() { pointers_.clear(); }

private:
    std::set<std::string> pointers_;  // the locations that hold their addresses
};

}  // namespace lockstep::simt::hooks
