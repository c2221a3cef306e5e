#pragma once
// A rule file: parameters, columns and rules, declared at the top level of what is otherwise C++
// (examples/rule_interpreter/rules/README.md is the language's page).
//
//   parameter TYPE NAME = NUMBER;
//   [deferred] column TYPE NAME[SIZE] [= EXPRESSION in s and i];   // no SIZE: that of the file it is read from
//   rule NAME over COLUMN { condition, evaluate };
//   rule NAME { range, condition, evaluate };
//
// The parser reads these forms and leaves the C++ to the compiler.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/jit/parameters.hpp"

namespace lockstep::rule_interpreter::rule_file {

using jit::bytes_of;
using jit::ParameterLine;
using jit::Settings;
using jit::to_string;
using jit::Type;

inline constexpr std::size_t max_rules = 64;
inline constexpr std::uint64_t max_size = 0xFFFFFFFF;  // values per column and state; instances have 32 bits

// `s.NAME` in an initial value, other than its size.
struct ReadLine {
    std::string name;
    std::size_t line = 0;
};

struct ColumnLine {
    std::string name;
    Type type = Type::u32;
    bool deferred = false;
    std::string size;   // an expression in the parameters; empty: as in the file that the column is read from
    std::string value;  // C++, or empty: 0
    std::size_t line = 0;
    std::size_t value_line = 0;
    std::vector<ReadLine> reads;  // of the value
};

struct RuleLine {
    std::string name;
    std::optional<std::size_t> over;  // the column whose values are the instances; else the rule has range()
    std::size_t line = 0;
};

struct RuleFile {
    std::string path;  // for messages
    std::string code;  // C++ with the lines of the file: without parameters and columns, and each rule a struct
    std::vector<ParameterLine> parameters;
    std::vector<ColumnLine> columns;
    std::vector<RuleLine> rules;
};

// Throws bench::Error with the path and the line.
RuleFile parse_rule_file(std::string const& text, std::string const& path);
RuleFile read_rule_file(std::string const& path);

// Throws bench::Error with the line of an initial value that reads its own column or one that is declared later, unless
// that is `from_file`: their values are not known yet. Reads of functions that the value calls are not seen here.
void check_initial_values(RuleFile const& file, std::vector<bool> const& from_file);

// Returns the bits of each parameter. Throws bench::Error for an unknown name or an invalid number.
std::vector<std::uint64_t> parameter_bits(RuleFile const& file, Settings const& settings);

// Returns the size of each column, 0 if it has none. Sizes use + - * / and parentheses over numbers and integer
// parameters. Throws bench::Error.
std::vector<std::uint64_t> column_sizes(RuleFile const& file, std::vector<std::uint64_t> const& parameters);

}  // namespace lockstep::rule_interpreter::rule_file
