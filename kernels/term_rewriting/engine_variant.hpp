#pragma once
// Engines of this machine as variants. For `.cu` files.

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

inline constexpr bench::Machine machine = bench::Machine::LOCKSTEP_MACHINE;

inline std::string too_large_to_emulate(bench::Axes const& axes) {
    bool const large = axes.integer("depth") > 8 || axes.integer("elements") > 60;
    return large ? "the emulator takes turns with every lane: at most depth 8, 60 elements" : "";
}

inline bench::Variant engine_variant(std::string const& name, bench::Role role, std::string const& description,
                                     std::function<std::unique_ptr<bench::Case>(bench::Problem const&)> make) {
    return bench::LOCKSTEP_MACHINE::make_variant(
        name, role, "oracle", description, std::move(make),
        machine == bench::Machine::emulator ? too_large_to_emulate : std::function<std::string(bench::Axes const&)>());
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
