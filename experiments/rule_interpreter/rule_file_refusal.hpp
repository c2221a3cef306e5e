#pragma once
// An access of a rule that the specification on the CPU refuses (arguments.hpp).

#include <cstdint>
#include <string>

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::rule_interpreter::rule_file {

[[noreturn]] inline void throw_refusal(Refusal const& refusal) { throw refusal; }

// An index outside is in the words of the emulator (language.hpp).
inline std::string reason_of(Refusal const& refusal, std::string const& column, std::uint64_t size) {
    std::string const index = std::to_string(static_cast<std::int64_t>(refusal.index));
    if (!refusal.is_set_twice)
        return column + " has " + std::to_string(size) + " values, and the index is " + index;
    return column + "[" + index + "] by " + std::to_string(refusal.instances[0]) + " and " +
           std::to_string(refusal.instances[1]);
}

// The first value of a column in a state tells which column and which state.
inline bench::Error error_of(Refusal const& refusal, RuleFile const& file, Arguments const& a) {
    auto const at = reinterpret_cast<std::uintptr_t>(refusal.values);
    std::string why =
        refusal.is_set_twice ? "two instances of a rule set the same value: " : "index outside the column: ";
    for (std::size_t i = 0; i < file.columns.size(); ++i) {
        auto const begin = reinterpret_cast<std::uintptr_t>(a.columns[i]);
        std::uint64_t const bytes = a.sizes[i] * bytes_of(file.columns[i].type);  // of a state
        if (at < begin || at - begin >= a.states * bytes)
            continue;
        why += reason_of(refusal, file.columns[i].name, a.sizes[i]) + "; in state " +
               std::to_string(a.first_state + (at - begin) / bytes) + ", ";
    }
    return {"cannot run " + file.path, why + "at line " + std::to_string(refusal.line),
            refusal.is_set_twice ? "Let each instance set values of its own." : "Correct the rule file."};
}

}  // namespace lockstep::rule_interpreter::rule_file
