#pragma once
// Smaller inputs for systems with long runs, for the emulator and compute-sanitizer.

#include <map>
#include <string>

#include "harness/bench/atomic_file.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {

// The system of the file, with its own inputs or one small term.
inline System read_system(std::string const& file, bool small) {
    static std::map<std::string, std::string> const terms = {
        {"ackermann.trs", "Ack(S(S(Zero())), S(S(Zero())))"},
        {"binary_arithmetic.trs", "Squares(More(More(None())), TwicePlus(One()))"},
        {"collatz.rec", "steps(s(s(s(s(s(zero))))))"},
        {"deep_spine.trs", "Parity(Half(Twice(S(S(S(S(S(Zero()))))))))"},
        {"merge_sort_50.trs", "Sort(Cons(S(Zero()), Cons(Zero(), Nil())))"},
        {"tree_fold.trs", "Leaves(Mirror(Grow(S(S(S(Zero()))))))"},
    };
    System system = parse_system(systems_folder + file, bench::read_file);
    if (auto const found = terms.find(file); small && found != terms.end())
        system.inputs.assign(1, parse_term(system, found->second, "small term"));
    return system;
}

}  // namespace lockstep::term_rewriting
