// The paper's rewriter, and variants of it that each change one design decision.
// van Eerd et al., Section 3, Listings 3 to 6. kernels/term_rewriting/as_printed/ has the kernels and the main loop;
// derive.hpp says what diverges and which bytes a slot costs. The timed programs count no rewrites (counted_apart.hpp),
// except that of as_printed_rule_counts.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/term_rewriting/as_printed/counted_apart.hpp"
#include "kernels/term_rewriting/as_printed/workload_input.hpp"
#include "kernels/term_rewriting/engine_variant.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

// Builds a large input directly on the device.
void load(Engine& engine, System const& system, Workload const& workload) {
    static_cast<as_printed::TopologyEngine&>(engine).load(as_printed::input_of(system, workload));
}

std::unique_ptr<bench::Case> case_of(bench::Problem const& problem, as_printed::Options const& options) {
    auto const make = [&](System const& system) { return as_printed::make_engine(system, machine, options); };
    Limits limits;
    limits.memory = std::numeric_limits<std::uint64_t>::max();
    return make_engine_case(make, limits, problem, load);
}

// Times a program that counts no rewrites. The emulator has no times, so there one program, which counts, is enough.
bench::Variant variant_of(std::string const& name, std::string const& description, as_printed::Options const& options) {
    as_printed::Options uncounted = options;
    uncounted.counts_rewrites = false;
    auto const make_case = [options, uncounted](bench::Problem const& problem) {
        if (machine == bench::Machine::emulator)
            return case_of(problem, options);
        return as_printed::make_case_counted_apart(
            problem, [&] { return case_of(problem, options); }, [&] { return case_of(problem, uncounted); });
    };
    return engine_variant(name, bench::Role::paper, description, make_case, [options, uncounted](System const& system) {
        return std::vector{as_printed::program_text(system, options), as_printed::program_text(system, uncounted)};
    });
}

bench::Variant counting_variant_of(std::string const& name, std::string const& description,
                                   as_printed::Options const& options) {
    return engine_variant(
        name, bench::Role::paper, description,
        [options](bench::Problem const& problem) { return case_of(problem, options); },
        [options](System const& system) { return std::vector{as_printed::program_text(system, options)}; });
}

}  // namespace

void add_as_printed(bench::Experiment& experiment) {
    using as_printed::Options;
    using as_printed::Order;
    auto const add = [&](std::string const& name, std::string const& description, Options const& options) {
        experiment.variants.push_back(variant_of(name, description, options));
    };
    add("as_printed", "one thread per term in every pass (Section 3)", {});
    add("as_printed_no_collection", "as printed, without reference counts and collection", {.collects = false});
    add("as_printed_no_shortcut", "as printed, all subterms checked in every pass", {.shortcut = false});
    add("as_printed_decision_trees", "as printed, decision trees instead of Listing 5's nested tests",
        {.decision_trees = true});
    add("as_printed_net_references", "as printed, no reference-count updates for subterms that a rule keeps",
        {.net_references = true});
    add("as_printed_aggregated", "as printed, slots allocated and freed with one atomic per warp",
        {.aggregates = true});
    add("as_printed_takes_together", "as printed, one atomic for all slots that a step allocates",
        {.takes_together = true});
    add("as_printed_unrolled", "as printed, up to eight steps of a term in one pass (future work, Section 1)",
        {.steps_per_pass = 8});
    add("as_printed_binned", "every term visited, redexes grouped by head symbol", {.order = Order::binned});
    add("as_printed_worklist", "a worklist of the terms that are not normal (data-driven)", {.order = Order::worklist});
    add("as_printed_traced", "as printed, with the time of each pass", {.traces = true});
    for (unsigned const block : {64u, 128u, 512u, 1024u}) {
        std::string const threads = std::to_string(block);
        add("as_printed_block_" + threads, "as printed, with " + threads + " threads per block instead of 256",
            {.block = block});
    }
    experiment.variants.push_back(counting_variant_of(
        "as_printed_rule_counts", "as printed, and counts the applications of each rule in every pass", {}));
    experiment.variants.push_back(counting_variant_of("as_printed_counted",
                                                      "as printed, instrumented: bytes, accesses and atomics per pass",
                                                      {.counts_traffic = true, .traces = true}));
    experiment.variants.back().timed = false;
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
