#pragma once
// The CPU contender: the system as generated C++, compiled by the system's compiler, on one core or on all.

#include <memory>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

// `workers` 0: as many as the machine has cores. `packed` false: terms lie in memory as those of a system with too many
// symbols for the denser form do (abi.hpp).
std::unique_ptr<Engine> make_compiled_engine(System const& system, std::size_t workers, bool packed = true);

}  // namespace lockstep::term_rewriting
