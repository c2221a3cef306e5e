// `auto`: the choice that `lockstep traffic` makes on a GPU. Columns that are sorted by class go to `registers`, which
// chooses its kernel by the numbers of agents and ticks. Structures in random order go to `factored`, and every other
// layout and order to `inlined`, which determines the class once per agent.

#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic_case.hpp"
#include "kernels/object_layout/traffic_makers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

void add_auto(bench::Experiment& experiment) {
    bench::Variant variant =
        traffic_variant("auto", bench::Role::ours, "registers, inlined or factored, by layout and order", nullptr,
                        classes_unsupported_reason);
    variant.make = [](bench::Problem const& problem) {
        TrafficRequest const request = request_of(problem);
        if (registers_unsupported_reason(problem.axes).empty())
            return make_registers(request);
        return are_shuffled_structures(request.options) ? make_factored(request) : make_inlined(request);
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
