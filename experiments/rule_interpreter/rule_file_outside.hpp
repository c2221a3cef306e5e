#pragma once
// An index outside of a column, which the specification on the CPU refuses.

#include <cstdint>
#include <string>

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::rule_interpreter::rule_file {

// What the compiled rules know. The first value of a column in a state tells which column and which state.
struct OutsideIndex {
    void const* values;
    std::uint64_t index;
    unsigned line;
};

[[noreturn]] inline void throw_outside_index(void const* values, unsigned long long index, unsigned line) {
    throw OutsideIndex{values, index, line};
}

// In the words of the emulator (language.hpp).
inline bench::Error error_of(OutsideIndex const& outside, RuleFile const& file, Arguments const& a) {
    auto const at = reinterpret_cast<std::uintptr_t>(outside.values);
    std::string why = "index outside the column: ";
    for (std::size_t i = 0; i < file.columns.size(); ++i) {
        auto const begin = reinterpret_cast<std::uintptr_t>(a.columns[i]);
        std::uint64_t const bytes = a.sizes[i] * bytes_of(file.columns[i].type);  // of a state
        if (at < begin || at - begin >= a.states * bytes)
            continue;
        why += file.columns[i].name + " has " + std::to_string(a.sizes[i]) + " values, and the index is " +
               std::to_string(static_cast<std::int64_t>(outside.index)) + "; in state " +
               std::to_string(a.first_state + (at - begin) / bytes) + ", ";
    }
    return {"cannot run " + file.path, why + "at line " + std::to_string(outside.line), "Correct the rule file."};
}

}  // namespace lockstep::rule_interpreter::rule_file
