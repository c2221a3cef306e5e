#pragma once
// What the experiment rewrites: the paper's systems and ours at the sizes that the axes name, and what has to come out.

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
//   count                 one number of `elements` is counted down and another up: no two rewrites at once
//   insertion_sort        Sort(list)
//   tree_fold             a tree of `depth` levels is grown, mirrored, and its leaves counted in unary numbers
//   one_expand            the transformation tree with one symbol Expand instead of two: it collapses
//   mapped_list_of_lists  a rule walks along a list of 2^depth lists and begins to sort one after the other
//   list_of_lists         the list of Sort(list) itself, 2^depth of them
//   queens                the ways to place `elements` queens on as many rows
//   langtons_ant          `elements` steps of an ant on a plane
//   quick_sort            sort(list), in unary numbers, with conditions
//   sieve                 the primes up to `elements`
//   mirrors               a tree of `depth` levels is mirrored `elements` times: much garbage
//   expression            an expression of 2^depth ones is written out and its value modulo 17 found
//   symbolic              2^depth modulo 17 by a double recursion
//   binary_search         all numbers of `depth` bits are looked for in a search tree of them
//   payload_tree          the transformation tree of which every letter carries a term, renamed, rules shuffled
//   binary_fibonacci      the double recursion of Fibonacci's numbers, in binary numbers, of `depth`
// A list is a random permutation of 0 .. elements - 1, of its own (seed, index). Nothing of the input is shared, but
// for equal numerals where the axis `sharing` says so.
struct Workload {
    std::string system = "tree_merge_sort";
    unsigned depth = 10;
    unsigned elements = 5;
    std::uint64_t seed = 0;
    bool share_numerals = false;
};

std::vector<bench::Axis> workload_axes();
Workload read_workload(bench::Problem const& problem);

// The rules that the workload is rewritten by.
System system_of(Workload const& workload);

// Lists that are sorted: 0 where none is.
std::uint64_t lists_of(Workload const& workload);

// The numbers of list `index`, before they are sorted.
std::vector<unsigned> list_of(Workload const& workload, std::uint64_t index);

// Each list that there is, and how often: of millions of lists few are different. Found by all cores.
std::map<std::vector<unsigned>, std::uint64_t> distinct_lists(Workload const& workload);

// Adds the input term to `terms`.
TermId make_input(System const& system, Workload const& workload, Terms& terms);

// Digest of the normal form, then rewrites, then applications of each rule: 64 bits each, low word first.
bench::UnitResult unit_result(std::uint64_t digest, std::vector<std::uint64_t> const& applications);

// What the oracle finds. The lists of a tree are independent terms, so it sorts each distinct list once and adds up;
// the leaves of the transformation tree are alike, so it rewrites a small tree of each of two depths and goes on from
// there. Every other system it rewrites as it is.
bench::UnitResult expected_result(Workload const& workload);

// Defined by lockstep_add_experiment: every variant listed in experiments/term_rewriting/CMakeLists.txt.
void add_variants(bench::Experiment& experiment);

using MakeEngine = std::function<std::unique_ptr<Engine>(System const&)>;
using LoadWorkload = std::function<void(Engine&, System const&, Workload const&)>;

// Makes the input's terms on the host.
void load_workload(Engine& engine, System const& system, Workload const& workload);

// A case that runs an engine on a workload; its time is the engine's run from the loaded input. By name, or made by the
// caller for the workload's system, and loaded with `load`.
std::unique_ptr<bench::Case> make_engine_case(std::string const& engine, bench::Problem const& problem);
std::unique_ptr<bench::Case> make_engine_case(MakeEngine const& make, Limits const& limits,
                                              bench::Problem const& problem, LoadWorkload const& load = load_workload);

}  // namespace lockstep::term_rewriting
