// The class is found once, before the ticks: with one switch a lane, or a launch a class, as FLAME GPU does it.

#include "kernels/object_layout/dispatch.hpp"

#include "common/object_layout/traffic_case.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

struct InlinedFamily {
    template <class Mode, class Layout, unsigned Types>
    static TrafficKernel kernel() {
        return inlined_kernel<Mode, Layout, Types>;
    }
};

TrafficKernel kernel_of(TrafficRequest const& request) {
    return kernel_for<InlinedFamily>(request.traffic->mode, request.options.layout, request.traffic->types);
}

// Without the order of classes there is no range of jobs to launch.
std::string shuffled_unsupported_reason(bench::Axes const& axes) {
    return axes.text("order") == "shuffled" ? "a launch a class needs order jobs or sorted"
                                            : classes_unsupported_reason(axes);
}

}  // namespace

void add_inlined(bench::Experiment& experiment);

void add_inlined(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant(
        "inlined", bench::Role::baseline, "a switch over class tags once, before the ticks: dispatch for nothing",
        [](TrafficRequest const& request) -> std::unique_ptr<bench::Case> {
            return std::make_unique<TrafficCase>("inlined", kernel_of(request), request);
        },
        classes_unsupported_reason));
    experiment.variants.push_back(traffic_variant(
        "per_type", bench::Role::baseline, "a launch a class, of the jobs of that class alone",
        [](TrafficRequest const& request) -> std::unique_ptr<bench::Case> {
            return std::make_unique<TrafficCase>("per_type", kernel_of(request), request, true);
        },
        shuffled_unsupported_reason));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
