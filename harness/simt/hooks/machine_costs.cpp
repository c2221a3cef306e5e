#include "harness/simt/hooks/machine_costs.hpp"

#include <algorithm>
#include <array>

namespace lockstep::simt::hooks {
namespace {

bool has_part(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Between registers, or to and from the stack, where a GPU has registers.
bool is_copy(Instruction const& instruction) {
    if (!instruction.name.starts_with("mov")) {
        return false;
    }
    bool const on_stack = has_part(instruction.operands, "(%rsp)") || has_part(instruction.operands, "(%rbp)");
    bool const converts = instruction.name.starts_with("movz") || instruction.name.starts_with("movs");
    return on_stack || (!converts && instruction.operands.starts_with('%') && !has_part(instruction.operands, "("));
}

// Of a variable that is a register on a GPU.
bool is_address_of_index(Instruction const& instruction) {
    std::string_view const operands = instruction.operands;
    return has_part(operands, "(%rip)") && (has_part(operands, "<threadIdx") || has_part(operands, "<blockIdx") ||
                                            has_part(operands, "<blockDim") || has_part(operands, "<gridDim"));
}

// The upper half of 64 bits, which are two registers on a GPU.
bool is_upper_half(Instruction const& instruction) {
    return instruction.name == "shr" && instruction.operands.starts_with("$0x20,%r");
}

// `pxor %xmm0,%xmm0`: a zero, which is an operand on a GPU. Here it also precedes conversions.
bool is_zero(Instruction const& instruction) {
    std::string_view const operands = instruction.operands;
    std::size_t const comma = operands.find(',');
    return is_one_of(instruction.name, {"pxor", "xorps", "xorpd"}) && comma != std::string_view::npos &&
           operands.substr(0, comma) == operands.substr(comma + 1);
}

// A division of integers of 64 bits has a shorter way for operands of 32.
Cost cost_of_integer_division(Instruction const& division) {
    std::string_view const divisor = division.operands;
    bool const is_narrow = division.name.ends_with('l') || divisor.starts_with("%e") || divisor.ends_with('d');
    return is_narrow ? Cost{20, 0} : Cost{26, 1};
}

struct Function {
    std::string_view name;
    Cost cost;
};

constexpr std::array<Function, 46> functions = {{
    {"acos", {80, 2}},   {"acosf", {24, 0}},  {"asin", {80, 1}},   {"asinf", {23, 0}},   {"atan", {70, 1}},
    {"atan2", {100, 2}}, {"atan2f", {40, 2}}, {"atanf", {17, 0}},  {"cbrt", {40, 0}},    {"cbrtf", {14, 0}},
    {"cos", {45, 2, 3}}, {"cosf", {21, 1}},   {"cosh", {50, 1}},   {"coshf", {14, 0}},   {"erf", {120, 0}},
    {"erff", {26, 0}},   {"exp", {50, 1}},    {"exp10", {55, 1}},  {"exp10f", {8, 0}},   {"exp2", {50, 1}},
    {"exp2f", {3, 0}},   {"expf", {8, 0}},    {"expm1", {60, 1}},  {"expm1f", {27, 0}},  {"hypot", {43, 0}},
    {"hypotf", {20, 1}}, {"log", {70, 1}},    {"log10", {75, 1}},  {"log10f", {25, 0}},  {"log1p", {80, 2}},
    {"log1pf", {25, 1}}, {"log2", {75, 1}},   {"log2f", {25, 0}},  {"logf", {24, 0}},    {"pow", {60, 3}},
    {"powf", {60, 3}},   {"sin", {45, 2, 3}}, {"sincos", {60, 2}}, {"sincosf", {35, 1}}, {"sinf", {20, 1}},
    {"sinh", {90, 2}},   {"sinhf", {23, 0}},  {"tan", {80, 3}},    {"tanf", {22, 1}},    {"tanh", {90, 1}},
    {"tanhf", {15, 0}},
}};

}  // namespace

Cost cost_of(Instruction const& instruction) {
    std::string_view const name = instruction.name;
    if (is_one_of(name, {"push", "pop", "ret", "leave", "jmp", "cltq", "cqto", "cltd", "endbr64"}) ||
        name.starts_with("nop") || name.starts_with("xchg") || is_copy(instruction) ||
        is_address_of_index(instruction) || is_upper_half(instruction) || is_zero(instruction)) {
        return {0, 0};
    }
    if (is_one_of(name, {"add", "sub"}) && instruction.operands.ends_with("%rsp")) {
        return {0, 0};
    }
    if (is_one_of(name, {"divss", "sqrtss"})) {
        return {9, 1};
    }
    if (is_one_of(name, {"divsd", "sqrtsd"})) {
        return {18, 1};
    }
    if (is_one_of(name, {"div", "divl", "divq", "idiv", "idivl", "idivq"})) {
        return cost_of_integer_division(instruction);
    }
    return {1, 0};
}

Cost cost_of_function(std::string_view name) {
    auto const* const found = std::find_if(functions.begin(), functions.end(),
                                           [&](Function const& function) { return function.name == name; });
    return found == functions.end() ? Cost{} : found->cost;
}

}  // namespace lockstep::simt::hooks
