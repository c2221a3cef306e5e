// Dispatch by a switch that holds only what differs between the classes. The warp executes the common part, which moves
// the agent and lets it cross, once for all of its lanes: "factoring out instructions that are common to two
// (divergent) branches" (Section 6).

#include "kernels/object_layout/dispatch.hpp"

#include "common/object_layout/traffic_case.hpp"
#include "kernels/object_layout/traffic_makers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

struct FactoredFamily {
    template <class Mode, class Layout, unsigned Types>
    static TrafficKernel kernel() {
        return factored_kernel<Mode, Layout, Types>;
    }
};

}  // namespace

std::unique_ptr<bench::Case> make_factored(TrafficRequest const& request) {
    return std::make_unique<TrafficCase>(
        "factored", kernel_for<FactoredFamily>(request.traffic->mode, request.options.layout, request.traffic->types),
        request);
}

void add_factored(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant("factored", bench::Role::baseline,
                                                  "a switch for the speed only; the classes share the rest of the tick",
                                                  make_factored, classes_unsupported_reason, true));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
