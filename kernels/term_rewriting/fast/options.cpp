#include "kernels/term_rewriting/fast/options.hpp"

namespace lockstep::term_rewriting::fast {

Options options_for(simt::Machine machine) {
    Options options;
    if (machine == simt::Machine::emulator) {
        options.block = 32;
        options.blocks = 3;
        options.first_blocks = 2;
        options.busy_rounds = 2;
        options.turns_startup = 64;
        options.turns_spreading = 64;
        options.turns_steady = 64;
        options.slice_rounds = 1024;
    }
    return options;
}

Options narrow_options(Options options) {
    options.warps_first = options.independent_parts = true;
    options.repeats = 8;
    return options;
}

Options wide_options(Options options) {
    options.loops = 8;
    options.returns = true;
    options.ends_after = 16;
    options.ramp_steps = 32;
    return options;
}

Options walking_options(Options options) {
    options = narrow_options(options);
    options.walks = true;
    options.loops = 8;
    return options;
}

namespace {

// Of a tree recursion without nested calls; as far as walking_options() if 8.
constexpr unsigned loops_of_trees = 4;
constexpr unsigned stack_words_of_walks = 256;
constexpr unsigned turns_narrow_of_fast = 16;

}  // namespace

Options general_options(Traits const& traits, Options options) {
    options = wide_options(walking_options(options));
    options.few_waiting = 16;
    options.turns_narrow = turns_narrow_of_fast;
    if (traits.tree_recursion)
        options.first_blocks = ~0u;
    else
        options.ramp_steps = options.ends_after = 0;
    if (traits.nested_calls && !traits.walks)
        options.repeats = 1;
    if (traits.tree_recursion && !traits.nested_calls)
        options.loops = loops_of_trees;
    if (traits.walks)
        options.stack_words = stack_words_of_walks;
    return options;
}

}  // namespace lockstep::term_rewriting::fast
