#pragma once
// The constant beginning of the heap of the engine `fast`: symbols, constants and the input (layout.hpp).

#include <cstdint>

#include "common/term_rewriting/language/system.hpp"
#include "kernels/term_rewriting/fast/program.hpp"

namespace lockstep::term_rewriting::fast {

constexpr std::uint64_t max_granules = 0xfffffff0u;

struct HeapInput {
    LargeVector<unsigned> words;
    unsigned root = 0;

    // Throws bench::Error if the input has too many nodes.
    HeapInput(Program const& program, System const& system, Terms const& terms, TermId input);

private:
    void add_terms(System const& system, Terms const& terms, TermId input);
};

}  // namespace lockstep::term_rewriting::fast
