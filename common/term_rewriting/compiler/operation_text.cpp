#include "common/term_rewriting/compiler/operation_text.hpp"

#include "common/term_rewriting/language/integers.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

// An expression that is false if the operation does not hold or has no result, and else assigns the result. It uses no
// compiler's built-in function, because a GPU's compiler has none for overflow; unsigned arithmetic wraps.
char const* test_of(Operation operation) {
    switch (operation) {
        case Operation::add:
            return "(result = (long long)((unsigned long long)x + (unsigned long long)y), "
                   "((x ^ result) & (y ^ result)) >= 0)";
        case Operation::subtract:
            return "(result = (long long)((unsigned long long)x - (unsigned long long)y), "
                   "((x ^ y) & (x ^ result)) >= 0)";
        case Operation::multiply:
            return "(result = (long long)((unsigned long long)x * (unsigned long long)y), "
                   "y == 0 || (y == -1 ? x != smallest : result / y == x))";
        case Operation::divide:
            return "y == -1 ? (result = (long long)(0 - (unsigned long long)x), x != smallest) "
                   ": y != 0 && (result = x / y, true)";
        case Operation::modulo:
            return "y == -1 || (y != 0 && (result = x % y, true))";
        case Operation::less:
            return "x < y";
        case Operation::at_most:
            return "x <= y";
        default:
            return "x == y";
    }
}

std::string value_text(std::vector<std::string> const& bytes, std::size_t first, SymbolId first_byte) {
    std::string text;
    for (std::size_t i = 0; i < 8; ++i)
        text += fmt::format("{}(unsigned long long)({} - {}u) << {}", i == 0 ? "" : " | ", bytes[first + i], first_byte,
                            56 - 8 * i);
    return text;
}

}  // namespace

void write_operation(jit::CodeWriter& code, Operation operation, std::vector<std::string> const& bytes,
                     SymbolId first_byte, std::string const& failure) {
    if (!is_comparison(operation))
        code.line("long long result = 0;");
    auto const block = code.block();
    code.line("long long const x = (long long)({});", value_text(bytes, 0, first_byte));
    code.line("long long const y = (long long)({});", value_text(bytes, 8, first_byte));
    if (operation == Operation::multiply || operation == Operation::divide)
        code.line("long long const smallest = -0x7fffffffffffffffll - 1;");
    code.line("if (!({}))", test_of(operation));
    code.line("    {}", failure);
}

std::string result_byte(std::uint32_t variable) {
    return fmt::format("((unsigned)((unsigned long long)result >> {}) & 255u)", 56 - 8 * (variable - operand_bytes));
}

}  // namespace lockstep::term_rewriting::compiled
