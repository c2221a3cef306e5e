// The text of a rule file for the CPU's compiler, which needs no folder of headers.

#include <span>

#include "experiments/rule_interpreter/rule_file_code.hpp"
#include "harness/jit/whole_text.hpp"

namespace lockstep::rule_interpreter::rule_file {

std::span<simt::EmbeddedText const> rule_file_headers();
std::span<simt::EmbeddedText const> rule_file_cpu_headers();

namespace {

constexpr char const* loop_entries = R"(
namespace own = lockstep::rule_interpreter::rule_file::cpu;
using lockstep::rule_interpreter::rule_file::Arguments;
extern "C" unsigned long long lockstep_range(Arguments const* a, unsigned long long state, unsigned rule) {
    return own::Program::range(*a, state, rule);
}
extern "C" unsigned lockstep_apply(Arguments const* a, unsigned long long state, unsigned rule,
                                   unsigned long long first, unsigned long long end) {
    return own::Program::apply(*a, state, rule, first, end);
}
extern "C" void lockstep_commit(Arguments const* a, unsigned long long state, unsigned long long first,
                                unsigned long long end) {
    own::Table::commit(*a, state, first, end, 1);
}
)";

// The program sets the pointer, to a function that throws.
constexpr char const* sequential_entries = R"(
extern "C" void (*lockstep_refuse)(lockstep::rule_interpreter::rule_file::Refusal const& refusal) = nullptr;
void lockstep::rule_interpreter::rule_file::cpu::refuse(Refusal const& refusal) {
    lockstep_refuse(refusal);
    __builtin_unreachable();
}
)";

constexpr char const* cpu_entries = R"(
extern "C" void lockstep_run(lockstep::rule_interpreter::rule_file::Arguments const* a, unsigned long long state) {
    lockstep::rule_interpreter::rule_file::cpu::Program::run(*a, state);
}
extern "C" void lockstep_initialise(lockstep::rule_interpreter::rule_file::Arguments const* a,
                                    unsigned long long state, unsigned column, unsigned first, unsigned long long end) {
    for (unsigned long long i = first; i < end; ++i)
        lockstep::rule_interpreter::rule_file::cpu::Table::initialise(*a, column, state, static_cast<unsigned>(i));
}
extern "C" unsigned long long lockstep_digest(lockstep::rule_interpreter::rule_file::Arguments const* a,
                                              unsigned long long state, unsigned long long first,
                                              unsigned long long step) {
    return lockstep::rule_interpreter::rule_file::cpu::Table::digest(*a, state, first, step);
}
)";

}  // namespace

std::string cpu_text(RuleFile const& file, CpuCode code) {
    bool const sequential = code == CpuCode::sequential;
    std::string text = sequential ? "#define LOCKSTEP_CHECK_INDICES 1\n"
                                    "#include \"reference_cpu/rule_interpreter/rule_file_sequential.hpp\"\n"
                                  : "#include \"baselines/rule_interpreter/rule_file_loops.hpp\"\n";
    text += common_text(file, sequential ? "SequentialProgram" : "LoopProgram", sequential);
    text += std::string(sequential ? sequential_entries : loop_entries) + cpu_entries;
    std::span<simt::EmbeddedText const> const parts[] = {rule_file_headers(), rule_file_cpu_headers()};
    return jit::whole_text_for_cpu(text, parts);
}

}  // namespace lockstep::rule_interpreter::rule_file
