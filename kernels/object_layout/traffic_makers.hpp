#pragma once
// Cases of traffic variants, for variants that choose among them.

#include <memory>
#include <string>

#include "harness/bench/variant.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct TrafficRequest;

std::string registers_unsupported_reason(bench::Axes const& axes);
// Kernels of `registers` for these axes; the variant itself takes sorted columns only.
std::string registers_anywhere_unsupported_reason(bench::Axes const& axes);
std::string python_classes_unsupported_reason(bench::Axes const& axes);
std::unique_ptr<bench::Case> make_registers(TrafficRequest const& request);
std::unique_ptr<bench::Case> make_switch(TrafficRequest const& request);
std::unique_ptr<bench::Case> make_inlined(TrafficRequest const& request);
std::unique_ptr<bench::Case> make_factored(TrafficRequest const& request);
std::unique_ptr<bench::Case> make_python_classes(TrafficRequest const& request);

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
