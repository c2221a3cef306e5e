// Dispatch once per lane, by a switch before the ticks.

#include "kernels/object_layout/inlined_kernels.hpp"

#include "kernels/object_layout/traffic_makers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

std::unique_ptr<bench::Case> make_inlined(TrafficRequest const& request) {
    return std::make_unique<TrafficCase>("inlined", inlined_kernel_of(request), request);
}

void add_inlined(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant(
        "inlined", bench::Role::baseline, "a switch over class tags once, before the ticks: no dispatch per tick",
        make_inlined, classes_unsupported_reason, true));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
