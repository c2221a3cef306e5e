// Dispatch by a switch over class tags at each tick: the paper's generated kernel (Section 4.4, Figure 7).

#include "kernels/object_layout/dispatch.hpp"

#include "common/object_layout/traffic_case.hpp"
#include "kernels/object_layout/traffic_makers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

struct SwitchFamily {
    template <class Mode, class Layout, unsigned Types>
    static TrafficKernel kernel() {
        return switch_kernel<Mode, Layout, Types>;
    }
};

}  // namespace

std::unique_ptr<bench::Case> make_switch(TrafficRequest const& request) {
    return std::make_unique<TrafficCase>(
        "switch", kernel_for<SwitchFamily>(request.traffic->mode, request.options.layout, request.traffic->types),
        request);
}

void add_switch(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant("switch", bench::Role::paper,
                                                  "a switch over class tags at each tick (Section 4.4, Figure 7)",
                                                  make_switch, classes_unsupported_reason, true));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
