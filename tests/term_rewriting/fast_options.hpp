#pragma once
// The options of the engine `fast` that its tests start from.

#include "kernels/term_rewriting/fast/options.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::term_rewriting {

inline fast::Options default_options() {
    fast::Options options = fast::options_for(lockstep::tests::kernel_machine());
    if (lockstep::tests::under_compute_sanitizer()) {
        // A grid of few blocks, because lanes without work look for some all the time.
        options.block = 64;
        options.blocks = 4;
        options.first_blocks = 2;
        options.slice_rounds = 1024;
    }
    return options;
}

}  // namespace lockstep::term_rewriting
