// A launch per class with only the jobs of that class, as in FLAME GPU.

#include "kernels/object_layout/inlined_kernels.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

// Shuffled jobs have no range per class to launch.
std::string shuffled_unsupported_reason(bench::Axes const& axes) {
    return axes.text("order") == "shuffled" ? "a launch per class needs order jobs or sorted"
                                            : classes_unsupported_reason(axes);
}

}  // namespace

void add_per_type(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant(
        "per_type", bench::Role::baseline, "a launch per class, with only the jobs of that class",
        [](TrafficRequest const& request) -> std::unique_ptr<bench::Case> {
            return std::make_unique<TrafficCase>("per_type", inlined_kernel_of(request), request, true);
        },
        shuffled_unsupported_reason, true));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
