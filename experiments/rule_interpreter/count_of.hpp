#pragma once
// Numbers of things for people to read: "1 puzzle", "2 puzzles".

#include <cstdint>
#include <string>

namespace lockstep::rule_interpreter {

inline std::string count_of(std::uint64_t number, std::string const& one, std::string const& ending = "s") {
    return std::to_string(number) + " " + one + (number == 1 ? "" : ending);
}

}  // namespace lockstep::rule_interpreter
