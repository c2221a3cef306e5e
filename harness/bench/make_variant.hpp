#pragma once
// A variant of the machine that this file is compiled for.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "harness/bench/variant.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

// Without `unsupported_reason`, the variant supports all axes.
inline Variant make_variant(std::string name, Role role, std::string reference, std::string description,
                            std::function<std::unique_ptr<Case>(Problem const&)> make,
                            std::function<std::string(Axes const&)> unsupported_reason = {}) {
    Variant variant;
    variant.name = std::move(name);
    variant.role = role;
    variant.machine = Machine::LOCKSTEP_MACHINE;
    variant.reference = std::move(reference);
    variant.description = std::move(description);
    variant.make = std::move(make);
    if (unsupported_reason)
        variant.unsupported_reason = std::move(unsupported_reason);
    return variant;
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
