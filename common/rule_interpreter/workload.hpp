#pragma once
// Workload of every variant of rule_interpreter, read from the axes. A unit is a state.
//
// Rule bases:
//
// synthetic  One rule over `range` values (section 6). A value that is not 0 is enabled; its evaluation multiplies its
//            matrix B by its matrix A from the left `load` times and stores a checksum of B as its result. A and B
//            derive from the value and its index (METHOD.md, "Workloads"). `shape` is M x N x O (shape.hpp). 1x1x1 is
//            the scalar setting: b <- fma(a, b, c).
// several    Four scalar product rules in sequence, over different ranges (range, and 37, 74, 111 less). From the
//            second on, a bit of the result of earlier rules enables a rule, so each must see their side effects.
// accesses   One rule that loads `accesses` words of its instance and stores as many, with almost no arithmetic.
// sudoku     Six rules of constraint propagation over 81 cells and 243 pairs of unit and digit, to the fixed point
//            (sudoku.hpp).
//
// search     Not rules alone: all solutions of a Sudoku, by rules and guesses, until there are none left or
//            `solutions_sought` are found. A result has their number, and the solution if it is the only one.
//
// The first three run `steps` passes; sudoku stops after a pass that changes nothing, or after `bound` passes.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/rule_interpreter/choices.hpp"
#include "common/rule_interpreter/initial_values.hpp"
#include "common/rule_interpreter/shape.hpp"
#include "common/rule_interpreter/sudoku.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::rule_interpreter {

enum class RuleBase { synthetic, several, accesses, sudoku, search };

// Values of the axis puzzles; any other is a file.
inline constexpr char const* generated_puzzles = "generated";
inline constexpr char const* minimal_puzzles = "minimal";
inline constexpr std::uint64_t solutions_sought = 2;  // tells one from several
inline constexpr unsigned several_rules = 4;
inline constexpr unsigned range_step = 37;            // difference between the ranges of `several`
inline constexpr unsigned result_unset = 0xA5A5A5A5;  // a result before its first evaluation

struct Workload {
    RuleBase base = RuleBase::synthetic;
    unsigned range = 1024;
    unsigned divergence = 2;
    int enabled_percent = -1;
    unsigned load = 20;
    Shape shape;
    unsigned accesses = 4;
    unsigned steps = 1;
    unsigned clues = 30;
    unsigned bound = 100;
    Until until = Until::steps;
};

// A job: `states` states from `first_state` on. Sudoku: state s starts with puzzle s of `puzzles` if it is set, else
// with puzzle s of the generator.
struct Job {
    Workload workload;
    std::uint64_t seed = 0;
    std::uint64_t first_state = 0;
    std::uint64_t states = 0;
    std::shared_ptr<std::vector<Puzzle> const> puzzles;

    ValueDraw draw() const { return {seed, workload.divergence, workload.enabled_percent}; }
};

// Range of rule `rule` of `several`; at least 1.
constexpr unsigned range_of_rule(unsigned range, unsigned rule) {
    return range > rule * range_step ? range - rule * range_step : 1;
}

std::string_view to_string(RuleBase base);
std::string_view to_string(LayoutName layout);
RuleBase rule_base_from_string(std::string const& name);  // throws bench::Error
LayoutName layout_from_string(std::string const& name);   // throws bench::Error
Shape shape_from_string(std::string const& name);         // M x N x O: "2x4x8"; throws bench::Error

Workload read_workload(bench::Axes const& axes);  // throws bench::Error
// Throws bench::Error if the file of puzzles cannot be read, also where the rules have no puzzles: a name that is wrong
// is not ignored.
void check_puzzles(bench::Axes const& axes);
Job job_of(bench::Problem const& problem);
std::vector<bench::Axis> workload_axes();

// Words per state in each column.
std::vector<unsigned> column_ranges(Workload const& workload);

// Number of 32-bit words in a state's result. Synthetic bases: a 64-bit sum over i of hash(i, result of i), and the
// number of values with a result. Sudoku: 81 cells, the outcome and the number of passes. Search: search_cpu.hpp.
unsigned words_per_result(RuleBase base);

// Returns the puzzle of a state.
Puzzle puzzle_of(Job const& job, std::uint64_t state);

// Items: values tested, one per rule, value and pass (sudoku and search: states). Operations: FP32 slots of the enabled
// values, which bound the time; the metric paper_operations has the paper's count. Bytes: 8 per value (value and
// result), counted in 32-byte sectors that an enabled value touches.
bench::Work work_of(Job const& job);

}  // namespace lockstep::rule_interpreter
