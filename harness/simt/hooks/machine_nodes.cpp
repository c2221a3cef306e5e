#include "harness/simt/hooks/machine_nodes.hpp"

#include <algorithm>

namespace lockstep::simt::hooks {
namespace {

constexpr unsigned cost_of_arithmetic = 7;
constexpr unsigned cost_of_access = 4;
constexpr unsigned max_unrolled_by_4 = 28;  // instructions of a round
constexpr unsigned max_unrolled_by_2 = 44;

unsigned size_of(BlockCode const& code) {
    unsigned const other = code.moves + code.addressing;
    return cost_of_arithmetic * (code.instructions - std::min(code.instructions, other)) +
           cost_of_access * code.accesses;
}

using Case = std::vector<std::uint64_t>::const_iterator;

// Adds the branches among the cases. Returns how often lanes come there.
std::uint64_t add_branches(Case begin, Case end, std::uint64_t times, std::uint64_t divergent, Branches& sum) {
    if (end - begin == 1) {
        return *begin;
    }
    Case const middle = begin + (end - begin) / 2;
    std::uint64_t const left = add_branches(begin, middle, times, divergent, sum);
    std::uint64_t const right = add_branches(middle, end, times, divergent, sum);
    std::uint64_t const all = std::min(times, left + right);
    sum.add({all, std::min({left, right, divergent})});
    return all;
}

}  // namespace

Branches branches_of_switch(std::vector<std::uint64_t> const& cases, std::uint64_t times, std::uint64_t divergent) {
    Branches sum;
    add_branches(cases.begin(), cases.end(), times, divergent, sum);
    return sum;
}

void Node::set_code(BlockCode const& its_code) {
    code = its_code;
    executed.instructions = code.instructions;
    executed.slow_paths = code.slow_paths;
    executed.table_loads = code.table_loads;
    executed.is_one_load = code.accesses == 1 && size_of(code) <= cost_of_arithmetic + cost_of_access;
    size = code.is_intrinsic ? 0 : size_of(code);
    has_calls = code.has_calls || code.slow_paths != 0;
    has_accesses = code.accesses != 0;
}

unsigned unrolled_by(Node const& node, std::uintptr_t address) {
    std::vector<std::uintptr_t> const& behind = node.code.behind;
    bool const is_loop = std::find(behind.begin(), behind.end(), address) != behind.end();
    if (!is_loop || !node.executed.branches || !node.code.counts_by_constant || node.code.has_calls) {
        return 1;
    }
    return node.code.instructions <= max_unrolled_by_4 ? 4 : node.code.instructions <= max_unrolled_by_2 ? 2 : 1;
}

}  // namespace lockstep::simt::hooks
