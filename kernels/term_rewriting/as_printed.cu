// The paper's rewriter, and what changes when one thing of it is changed.
// van Eerd et al., Section 3, Listings 3 to 6; kernels/term_rewriting/as_printed/ has the kernels and the main loop.

#include <limits>

#include "kernels/term_rewriting/as_printed/workload_input.hpp"
#include "kernels/term_rewriting/engine_variant.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

// The input is made where the terms lie: on the device, where it is large.
void load(Engine& engine, System const& system, Workload const& workload) {
    static_cast<as_printed::TopologyEngine&>(engine).load(as_printed::input_of(system, workload));
}

bench::Variant variant_of(char const* name, char const* description, as_printed::Options const& options) {
    return engine_variant(name, bench::Role::paper, description, [options](bench::Problem const& problem) {
        auto const make = [&](System const& system) { return as_printed::make_engine(system, machine, options); };
        Limits limits;
        limits.memory = std::numeric_limits<std::uint64_t>::max();
        return make_engine_case(make, limits, problem, load);
    });
}

}  // namespace

void add_as_printed(bench::Experiment& experiment) {
    using as_printed::Options;
    using as_printed::Order;
    auto const add = [&](char const* name, char const* description, Options const& options) {
        experiment.variants.push_back(variant_of(name, description, options));
    };
    add("as_printed", "a thread a term in every pass (Section 3)", {});
    add("as_printed_no_collection", "as printed, references not counted and nothing collected", {.collects = false});
    add("as_printed_no_shortcut", "as printed, all subterms checked in every pass", {.shortcut = false});
    add("as_printed_decision_trees", "as printed, rules by decision trees in place of Listing 5's nested tests",
        {.decision_trees = true});
    add("as_printed_net_references", "as printed, a subterm that a rule keeps is not counted up and down again",
        {.net_references = true});
    add("as_printed_aggregated", "as printed, slots taken and given back by one atomic a warp", {.aggregates = true});
    add("as_printed_binned", "all terms looked at, redexes rewritten by head symbol", {.order = Order::binned});
    add("as_printed_worklist", "a queue of the terms that are not normal (data-driven)", {.order = Order::worklist});
    add("as_printed_traced", "as printed, with the time of each pass", {.traces = true});
    add("as_printed_counted", "as printed, instrumented: bytes and atomics of each pass",
        {.counts_traffic = true, .traces = true});
    experiment.variants.back().timed = false;
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
