// Dispatch at each tick by a table of functions, indexed by the class tag.

#include "kernels/object_layout/dispatch.hpp"

#include "common/object_layout/traffic_case.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

struct TableFamily {
    template <class Mode, class Layout, unsigned Types>
    static TrafficKernel kernel() {
        return table_kernel<Mode, Layout, Types>;
    }
};

}  // namespace

void add_table(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant(
        "table", bench::Role::baseline, "a call through a table of functions at each tick",
        [](TrafficRequest const& request) -> std::unique_ptr<bench::Case> {
            return std::make_unique<TrafficCase>(
                "table", kernel_for<TableFamily>(request.traffic->mode, request.options.layout, request.traffic->types),
                request);
        },
        classes_unsupported_reason, true));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
