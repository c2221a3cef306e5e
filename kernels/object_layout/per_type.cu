// A launch per class, of the jobs of that class alone, as FLAME GPU does it.

#include "kernels/object_layout/inlined_kernels.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

// Without the order of classes there is no range of jobs to launch.
std::string shuffled_unsupported_reason(bench::Axes const& axes) {
    return axes.text("order") == "shuffled" ? "a launch a class needs order jobs or sorted"
                                            : classes_unsupported_reason(axes);
}

}  // namespace

void add_per_type(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant(
        "per_type", bench::Role::baseline, "a launch a class, of the jobs of that class alone",
        [](TrafficRequest const& request) -> std::unique_ptr<bench::Case> {
            return std::make_unique<TrafficCase>("per_type", inlined_kernel_of(request), request, true);
        },
        shuffled_unsupported_reason));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
