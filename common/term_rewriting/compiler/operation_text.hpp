#pragma once
// Writes operations on integers (language/integers.hpp) as C-like text, for every target.

#include <cstdint>
#include <string>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "harness/jit/code_writer.hpp"

namespace lockstep::term_rewriting::compiled {

// The variables of a rule with an operation before those of the result.
constexpr std::uint32_t operand_bytes = 16;
constexpr std::uint32_t result_bytes = 8;

// True for a variable that the operation binds.
inline bool is_result(Rule const& rule, std::uint32_t variable) {
    return rule.operation != Operation::none && variable >= operand_bytes;
}

// `bytes`: expressions for the symbols of the bytes of both values. Executes `failure` if the operation does not hold
// or has no result; otherwise the variable `result` is the result, if there is one.
void write_operation(jit::CodeWriter& code, Operation operation, std::vector<std::string> const& bytes,
                     SymbolId first_byte, std::string const& failure);

// The value, from 0 to 255, of the byte that a variable of the result stands for.
std::string result_byte(std::uint32_t variable);

}  // namespace lockstep::term_rewriting::compiled
