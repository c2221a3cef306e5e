#include "harness/simt/hooks/addressing.hpp"

#include <set>
#include <string>
#include <string_view>

#include "harness/simt/hooks/machine_costs.hpp"

namespace lockstep::simt::hooks {
namespace {

// "(%rax,%rbx,4),%xmm0" in two.
std::vector<std::string_view> operands_of(std::string_view text) {
    std::vector<std::string_view> operands;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        char const c = i < text.size() ? text[i] : ',';
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0) {
            operands.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    return operands;
}

bool is_on_stack(std::string_view operand) { return operand.ends_with("(%rsp)") || operand.ends_with("(%rbp)"); }
bool is_memory(std::string_view operand) { return operand.ends_with(')') && !is_on_stack(operand); }

// One name for the parts of a register: "ax" of %rax, %eax, %ax; "r8" of %r8d. A place on the stack is its own name.
std::string location_of(std::string_view operand) {
    if (is_on_stack(operand)) {
        return std::string(operand);
    }
    if (!operand.starts_with('%')) {
        return {};
    }
    std::string_view name = operand.substr(1);
    if (name.size() == 3 && (name[0] == 'r' || name[0] == 'e') && name[1] >= 'a') {
        return std::string(name.substr(1));
    }
    if (name[0] == 'r' && (name.ends_with('d') || name.ends_with('w') || name.ends_with('b'))) {
        name.remove_suffix(1);
    }
    return std::string(name);
}

// Goes through the block from its end, with what the addresses behind depend on.
class Slice {
public:
    void before(Instruction const& instruction) {
        if (is_call(instruction.name)) {
            std::string_view const name = callee(instruction);
            if (name.starts_with("__tsan_read") || name.starts_with("__tsan_write")) {
                needed_.insert("di");
            }
            return;
        }
        std::vector<std::string_view> const operands = operands_of(instruction.operands);
        std::string const target = location_of(operands.back());
        if (target.empty() || !needed_.contains(target) || instruction.name.starts_with('j') ||
            is_one_of(instruction.name, {"cmp", "test", "push"})) {
            return;
        }
        bool const is_load = operands.size() > 1 && is_memory(operands.front()) && instruction.name != "lea";
        bool const overwrites = instruction.name.starts_with("mov") || instruction.name == "lea";
        count_ += !is_load && cost_of(instruction).instructions != 0 ? 1 : 0;
        if (overwrites) {
            needed_.erase(target);
        }
        for (std::size_t i = 0; !is_load && i + 1 < operands.size(); ++i) {
            add(operands[i]);
        }
    }
    unsigned count() const { return count_; }

private:
    // A register, or those in "0x8(%rax,%rbx,4)".
    void add(std::string_view operand) {
        if (!operand.ends_with(')') || is_on_stack(operand)) {
            needed_.insert(location_of(operand));
            return;
        }
        std::size_t const open = operand.find('(');
        for (std::string_view const part : operands_of(operand.substr(open + 1, operand.size() - open - 2))) {
            needed_.insert(location_of(part));
        }
    }

    std::set<std::string> needed_;
    unsigned count_ = 0;
};

}  // namespace

bool is_step(Instruction const& instruction) {
    if (is_one_of(instruction.name, {"inc", "incl", "incq", "dec", "decl", "decq"})) {
        return true;
    }
    return is_one_of(instruction.name, {"add", "addl", "addq", "sub", "subl", "subq"}) &&
           instruction.operands.starts_with('$');
}

std::vector<std::string> locations_in(Instruction const& instruction) {
    std::vector<std::string> locations;
    for (std::string_view const operand : operands_of(instruction.operands)) {
        if (std::string location = location_of(operand); !location.empty()) {
            locations.push_back(std::move(location));
        }
    }
    return locations;
}

Change change_of(Instruction const& instruction, std::string const& location) {
    std::vector<std::string_view> const operands = operands_of(instruction.operands);
    bool const only_reads = is_call(instruction.name) || instruction.name.starts_with('j') ||
                            instruction.name.starts_with("cmp") || instruction.name.starts_with("test") ||
                            instruction.name == "push";
    if (only_reads || location_of(operands.back()) != location) {
        return {};
    }
    if (is_step(instruction)) {
        return {Change::Kind::step, location};
    }
    std::string_view const from = operands.front();
    if (instruction.name.starts_with("mov") && operands.size() == 2 && !location_of(from).empty()) {
        return {Change::Kind::copy, location_of(from)};
    }
    std::size_t const open = from.find('(');
    if (instruction.name == "lea" && open != std::string_view::npos && from.ends_with(')')) {  // 0x1(%rax)
        std::string base = location_of(from.substr(open + 1, from.size() - open - 2));
        if (!base.empty() && base.find(',') == std::string::npos && open != 0) {
            return {Change::Kind::step, std::move(base)};
        }
    }
    return {Change::Kind::other, {}};
}

void BuiltInVariables::follow(Instruction const& instruction) {
    if (is_call(instruction.name)) {
        for (char const* lost_in_calls : {"ax", "cx", "dx", "si", "di", "r8", "r9", "r10", "r11"}) {
            pointers_.erase(lost_in_calls);
        }
        if (callee(instruction) == "__tls_get_addr") {
            pointers_.insert("ax");
        }
        return;
    }
    bool const copies = instruction.name.starts_with("mov") || instruction.name == "lea";
    std::vector<std::string_view> const operands = operands_of(instruction.operands);
    if (!copies || operands.size() != 2) {
        return;
    }
    // A register, or a displacement from it: 4(%rax) is threadIdx.y.
    std::string_view const from = operands.front();
    std::size_t const open = from.find('(');
    bool const is_displaced = instruction.name == "lea" && open != std::string_view::npos && from.ends_with(')');
    std::string const source = location_of(is_displaced ? from.substr(open + 1, from.size() - open - 2) : from);
    std::string const target = location_of(operands.back());
    if (pointers_.contains(source)) {
        pointers_.insert(target);
    } else {
        pointers_.erase(target);
    }
}

unsigned addressing_of(std::vector<Instruction> const& block) {
    Slice slice;
    for (auto instruction = block.rbegin(); instruction != block.rend(); ++instruction) {
        slice.before(*instruction);
    }
    return slice.count();
}

}  // namespace lockstep::simt::hooks
