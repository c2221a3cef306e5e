// Innermost rewriting, depth-first on every lane; idle lanes get work from busy ones. kernels/term_rewriting/fast/ has
// the engine. What diverges: the lanes of a warp are at different program counters. A rewrite costs a few dozen
// instructions per lane, reads one or two nodes of 16 bytes and writes about one.

#include <functional>
#include <memory>
#include <vector>

#include "kernels/term_rewriting/engine_variant.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

using Change = std::function<void(fast::Options&, System const&)>;

// `change` changes the options of `fast_plain` for a system.
bench::Variant variant_of(char const* name, char const* description, Change const& change) {
    auto const options_of = [change](System const& system) {
        fast::Options options = fast::options_for(machine);
        change(options, system);
        return options;
    };
    auto const make_case = [options_of](bench::Problem const& problem) {
        jit::Device& device = jit::device_of(machine);
        auto const make = [&](System const& system) {
            return std::make_unique<fast::FastEngine>(system, device, options_of(system));
        };
        Limits limits;
        limits.memory = device.free_memory() / 10 * 8;
        return make_engine_case(make, limits, problem);
    };
    return engine_variant(name, bench::Role::ours, description, make_case, [options_of](System const& system) {
        return std::vector{fast::kernel_text(fast::make_program(system, options_of(system)))};
    });
}
// The same for every system.
bench::Variant variant_of(char const* name, char const* description, void (*change)(fast::Options&)) {
    return variant_of(name, description, Change([change](fast::Options& options, System const&) { change(options); }));
}

// The options of `fast`.
void choose(fast::Options& options, System const& system) {
    options = general_options(fast::traits_of(system), options);
}

}  // namespace

void add_fast(bench::Experiment& experiment) {
    experiment.variants.push_back(
        variant_of("fast", "depth-first on each lane, idle lanes get work from busy ones", choose));
    experiment.variants.push_back(
        variant_of("fast_each_rule", "fast, with one turn per rewrite: chains of rules are not merged into one step",
                   [](fast::Options& options, System const& system) {
                       choose(options, system);
                       options.chains = false;
                   }));
    experiment.variants.push_back(
        variant_of("fast_plain", "fast without its options for narrow and for wide terms", [](fast::Options&) {}));
    experiment.variants.push_back(variant_of("fast_one_root",
                                             "fast_plain, but the whole input is one task at the start",
                                             [](fast::Options& options) { options.max_roots = 1; }));
    experiment.variants.push_back(variant_of("fast_warps_first",
                                             "fast_plain, but work goes to idle warps and blocks before idle lanes",
                                             [](fast::Options& options) { options.warps_first = true; }));
    experiment.variants.push_back(variant_of("fast_independent_parts",
                                             "fast_plain, but independent parts of a right side are separate calls",
                                             [](fast::Options& options) { options.independent_parts = true; }));
    experiment.variants.push_back(variant_of("fast_repeats",
                                             "fast_plain, but lanes repeat a step up to 8 times in one turn",
                                             [](fast::Options& options) { options.repeats = 8; }));
    experiment.variants.push_back(variant_of("fast_loops",
                                             "fast_plain, but a step calls its own symbol up to 8 times in a row",
                                             [](fast::Options& options) { options.loops = 8; }));
    experiment.variants.push_back(variant_of("fast_returns",
                                             "fast_loops, and a step that awaits a short call follows in the same turn",
                                             [](fast::Options& options) {
                                                 options.loops = 8;
                                                 options.returns = true;
                                             }));
    experiment.variants.push_back(variant_of("fast_ends", "fast_loops, and the rounds of a block's warps end together",
                                             [](fast::Options& options) {
                                                 options.loops = 8;
                                                 options.ends_after = 16;
                                             }));
    experiment.variants.push_back(variant_of("fast_ramp", "fast_loops, and all lanes take the first steps themselves",
                                             [](fast::Options& options) {
                                                 options.loops = 8;
                                                 options.ramp_steps = 32;
                                             }));
    experiment.variants.push_back(variant_of("fast_wide", "fast_loops, fast_returns, fast_ends and fast_ramp together",
                                             [](fast::Options& options) { options = wide_options(options); }));
    experiment.variants.push_back(
        variant_of("fast_wide_all", "fast_wide; the ramp takes all lanes of the device", [](fast::Options& options) {
            options = wide_options(options);
            options.first_blocks = ~0u;
            options.ramp_even = false;
        }));
    experiment.variants.push_back(
        variant_of("fast_wide_repeats", "fast_wide, and lanes repeat a step in one turn", [](fast::Options& options) {
            options = wide_options(options);
            options.repeats = 8;
        }));
    experiment.variants.push_back(variant_of("fast_narrow",
                                             "fast_plain, with warps first, independent parts and repeats",
                                             [](fast::Options& options) { options = narrow_options(options); }));
    experiment.variants.push_back(variant_of("fast_walks", "fast_narrow, with walks along lists and loops in steps",
                                             [](fast::Options& options) { options = walking_options(options); }));
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
