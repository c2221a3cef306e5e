// The paper's rewriter, and what changes when one thing of it is changed.
// van Eerd et al., Section 3, Listings 3 to 6; kernels/term_rewriting/as_printed/ has the kernels and the main loop.

#include "harness/simt/launch.hpp"
#include "kernels/term_rewriting/as_printed/workload_input.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

bench::Variant variant_of(char const* name, char const* description, as_printed::Options const& options) {
    bench::Variant variant;
    variant.name = name;
    variant.role = bench::Role::paper;
    variant.machine = machine;
    variant.reference = "oracle";
    variant.description = description;
    variant.make = [options](bench::Problem const& problem) {
        return as_printed::make_case(machine, options, problem);
    };
    if (machine == simt::Machine::emulator) {
        variant.unsupported_reason = [](bench::Axes const& axes) {
            bool const large = axes.integer("depth") > 8 || axes.integer("elements") > 60;
            return large ? std::string("the emulator looks at every term in every pass: at most depth 8, 60 elements")
                         : std::string();
        };
    }
    return variant;
}

}  // namespace

void add_as_printed(bench::Experiment& experiment);

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
