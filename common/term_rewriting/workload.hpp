#pragma once
// The workloads of the experiment: the paper's systems and ours, at the sizes given by the axes, with expected results.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/term_rewriting/engine.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::term_rewriting {

// The paper's:
//   merge_sort            Sort(list)
//   tree_merge_sort       a full binary tree of `depth` levels with Leaf(Sort(list)) at its leaves
//   transformation_tree   Expand(depth)
// Ours, from the least to the most parallel:
//   count                 counts one number down from `elements` and another up: never two concurrent rewrites
//   insertion_sort        Sort(list)
//   tree_fold             grows a tree of `depth` levels, mirrors it, and counts its leaves in unary numbers
//   one_expand            the transformation tree with one symbol Expand instead of two: it collapses
//   mapped_list_of_lists  a rule walks along a list of 2^depth lists and starts to sort them in order
//   list_of_lists         a list of 2^depth terms Sort(list)
//   queens                the ways to place `elements` queens on as many rows
//   langtons_ant          `elements` steps of an ant on a plane
//   quick_sort            sort(list), in unary numbers, with conditions
//   sieve                 the primes up to `elements`
//   mirrors               mirrors a tree of `depth` levels `elements` times: much garbage
//   expression            expands an expression of 2^depth ones and computes its value modulo 17
//   symbolic              2^depth modulo 17 by a double recursion
//   binary_search         searches for all numbers of `depth` bits in a search tree of these numbers
//   payload_tree          the transformation tree with a term in every letter, other names, and shuffled rules
//   binary_fibonacci      the Fibonacci number of `depth` by double recursion, in binary numbers
// A list is a random permutation of 0 .. elements - 1, determined by (seed, index). The input shares no terms, except
// equal numerals if the axis `sharing` is `numerals`.
struct Workload {
    std::string system = "tree_merge_sort";
    unsigned depth = 10;
    unsigned elements = 5;
    std::uint64_t seed = 0;
    bool share_numerals = false;
};

std::vector<bench::Axis> workload_axes();
Workload read_workload(bench::Problem const& problem);

// Returns the system whose rules rewrite the workload.
System system_of(Workload const& workload);

// Returns the number of lists to be sorted; 0 for workloads without such lists.
std::uint64_t lists_of(Workload const& workload);

// Returns the unsorted numbers of list `index`.
std::vector<unsigned> list_of(Workload const& workload, std::uint64_t index);

// Returns each distinct list with its number of occurrences, using all cores. Few of millions of lists are distinct.
std::map<std::vector<unsigned>, std::uint64_t> distinct_lists(Workload const& workload);

// Adds the input term to `terms`.
TermId make_input(System const& system, Workload const& workload, Terms& terms);

// Digest of the normal form, number of rewrites, applications of each rule: 64 bits each, low word first.
bench::UnitResult unit_result(std::uint64_t digest, std::vector<std::uint64_t> const& applications);

// Returns the oracle's result. The lists of a tree are independent terms, so the oracle sorts each distinct list once
// and adds the counts. The leaves of the transformation tree are equal, so it rewrites small trees of two depths and
// extrapolates. See expected.cpp for the other systems.
bench::UnitResult expected_result(Workload const& workload);

// Defined by lockstep_add_experiment: every variant listed in experiments/term_rewriting/CMakeLists.txt.
void add_variants(bench::Experiment& experiment);

using MakeEngine = std::function<std::unique_ptr<Engine>(System const&)>;
using LoadWorkload = std::function<void(Engine&, System const&, Workload const&)>;

// Builds the input term on the host and loads it into the engine.
void load_workload(Engine& engine, System const& system, Workload const& workload);

// Makes a case that runs an engine on a workload; its time is the engine's run from the loaded input. The engine is
// given by name, or `make` creates it for the workload's system and `load` loads the input.
std::unique_ptr<bench::Case> make_engine_case(std::string const& engine, bench::Problem const& problem);
std::unique_ptr<bench::Case> make_engine_case(MakeEngine const& make, Limits const& limits,
                                              bench::Problem const& problem, LoadWorkload const& load = load_workload);

}  // namespace lockstep::term_rewriting
