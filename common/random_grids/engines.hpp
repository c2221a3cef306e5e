#pragma once
// Maps a name on the `engine` axis to the engine's type, on any machine.

#include <string>

#include "harness/bench/error.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/taus88.hpp"
#include "harness/random/xorwow.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Calls function.template operator()<Engine>(). Throws bench::Error for an unknown name.
template <class Function>
auto with_engine(std::string const& name, Function const& function) {
    if (name == "xorwow")
        return function.template operator()<random::LOCKSTEP_MACHINE::Xorwow>();
    if (name == "philox7")
        return function.template operator()<random::LOCKSTEP_MACHINE::Philox4x32<7>>();
    if (name == "philox10")
        return function.template operator()<random::LOCKSTEP_MACHINE::Philox4x32<10>>();
    if (name == "taus88")
        return function.template operator()<random::LOCKSTEP_MACHINE::Taus88>();
    throw bench::Error("unknown engine '" + name + "'", "the engines are xorwow, philox7, philox10 and taus88");
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
