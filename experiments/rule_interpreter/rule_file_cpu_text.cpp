// The text of a rule file for the CPU's compiler, which needs no folder of headers.

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "experiments/rule_interpreter/rule_file_code.hpp"
#include "harness/simt/device_headers.hpp"

namespace lockstep::rule_interpreter::rule_file {

std::span<simt::EmbeddedText const> rule_file_headers();
std::span<simt::EmbeddedText const> rule_file_cpu_headers();

namespace {

// Replaces each #include by the header's text, once.
class Expansion {
public:
    Expansion() {
        for (auto const& part :
             {simt::device_headers(), simt::emulator_headers(), rule_file_headers(), rule_file_cpu_headers()})
            headers_.insert(headers_.end(), part.begin(), part.end());
        seen_.insert("harness/simt/kernel.hpp");  // the text begins with its part for the CPU
    }

    std::string of(std::string const& name) {
        if (!seen_.insert(name).second)
            return "";
        for (simt::EmbeddedText const& header : headers_) {
            if (name == header.name)
                return expanded(header.text);
        }
        return "#include \"" + name + "\"\n";
    }

private:
    std::string expanded(std::string_view text) {
        std::string all;
        while (!text.empty()) {
            std::string_view const line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            constexpr std::string_view include = "#include \"";
            if (line.starts_with(include))
                all += of(std::string(line.substr(include.size(), line.rfind('"') - include.size())));
            else if (line != "#pragma once")
                all.append(line).append("\n");
        }
        return all;
    }

    std::vector<simt::EmbeddedText> headers_;
    std::set<std::string> seen_;
};

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
    Expansion headers;
    std::string text = "#define LOCKSTEP_MACHINE cpu\n" + headers.of("harness/simt/cpu_kernel.hpp");
    text += headers.of(sequential ? "reference_cpu/rule_interpreter/rule_file_sequential.hpp"
                                  : "baselines/rule_interpreter/rule_file_loops.hpp");
    text += common_text(file, sequential ? "SequentialProgram" : "LoopProgram", sequential);
    return text + (sequential ? "" : loop_entries) + cpu_entries;
}

}  // namespace lockstep::rule_interpreter::rule_file
