#pragma once
// What the experiment rewrites: the paper's systems at the sizes that the axes name, and what has to come out.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"
#include "reference_cpu/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

// merge_sort: Sort(list). tree_merge_sort: a full binary tree of `depth` levels with Leaf(Sort(list)) at its leaves.
// transformation_tree: Expand(depth). A list is a random permutation of 0 .. elements - 1, of its own (seed, place in
// the tree); nothing of the input is shared, not even equal numerals.
struct Workload {
    std::string system = "tree_merge_sort";
    unsigned depth = 10;
    unsigned elements = 5;
    std::uint64_t seed = 0;
};

std::vector<bench::Axis> workload_axes();
Workload read_workload(bench::Problem const& problem);

// The numbers of list `place`, before they are sorted.
std::vector<unsigned> list_of(Workload const& workload, std::uint64_t place);

// Adds the input term to `terms`.
TermId make_input(System const& system, Workload const& workload, Terms& terms);

// Digest of the normal form, then rewrites, then applications of each rule: 64 bits each, low word first.
bench::UnitResult unit_result(std::uint64_t digest, std::vector<std::uint64_t> const& applications);

// What the oracle finds. The lists of a tree are independent terms, so it sorts each distinct list once and adds up;
// the leaves of the transformation tree are alike, so it rewrites a small tree of each of two depths and goes on from
// there.
bench::UnitResult expected_result(Workload const& workload);

// Defined by lockstep_add_experiment: every variant listed in experiments/term_rewriting/CMakeLists.txt.
void add_variants(bench::Experiment& experiment);

// A case that runs the engine of that name on a workload; its time is the engine's run from the loaded input.
std::unique_ptr<bench::Case> make_engine_case(std::string const& engine, bench::Problem const& problem);

}  // namespace lockstep::term_rewriting
