// `auto`: the choice that `lockstep traffic` makes on a GPU, by the sweeps `auto` and `auto_classes`.

#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic_case.hpp"
#include "kernels/object_layout/traffic_makers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

using Maker = std::unique_ptr<bench::Case> (*)(TrafficRequest const&);

// Two classes, or one. Agents in registers need as many ticks as repay reading all of an agent at once; where a warp
// has agents of both classes, it does so for one class after the other. Padded structures that exceed the cache repay
// it sooner, and so do columns of few agents. One tick of many agents has no use for registers.
Maker maker_for_two_classes(TrafficRequest const& request, unsigned ticks) {
    TrafficOptions const& options = request.options;
    bool const sorted = options.order == Order::sorted;
    if (sorted && options.layout == Layout::soa)
        return make_registers;
    if (options.order == Order::shuffled && request.traffic->types == 2) {
        bool const in_memory = options.layout == Layout::aos_padded && request.agents > 1u << 20;
        bool const few_columns = options.layout == Layout::soa && request.agents <= 1u << 16;
        unsigned const enough = in_memory ? 2 : few_columns ? 3 : 5;
        return ticks < enough ? make_factored : make_registers;
    }
    if (ticks == 1 && request.agents > (sorted ? 1u << 20 : 1u << 18))
        return options.layout == Layout::soa ? make_switch : make_inlined;
    return make_registers;
}

// The more classes a warp has, the more the common part of a tick counts, which `factored` executes once. `inlined`
// determines the class once, which repays its larger code after some ticks. With a job array, nearly every warp has one
// class, so `factored` has little to take out; after a few ticks, `switch` is the fastest where `inlined` is not.
Maker maker_for_many_classes(TrafficRequest const& request, unsigned ticks) {
    unsigned const types = request.traffic->types;
    if (request.options.order == Order::shuffled)
        return make_factored;
    if (request.options.order == Order::sorted)
        return ticks < 16 ? make_factored : make_inlined;
    if (types >= 16 || (types <= 4 && ticks >= 64))
        return make_inlined;
    return ticks < 6 ? make_factored : make_switch;
}

std::unique_ptr<bench::Case> make_auto(bench::Problem const& problem) {
    TrafficRequest const request = request_of(problem);
    unsigned const ticks = ticks_per_launch(request.traffic->ticks, request.options);
    if (request.traffic->types > 2) {
        bool const in_registers = ticks >= 16 && registers_unsupported_reason(problem.axes).empty();
        return in_registers ? make_registers(request) : maker_for_many_classes(request, ticks)(request);
    }
    return registers_anywhere_unsupported_reason(problem.axes).empty() ? maker_for_two_classes(request, ticks)(request)
                                                                       : make_factored(request);
}

}  // namespace

void add_auto(bench::Experiment& experiment) {
    bench::Variant variant =
        traffic_variant("auto", bench::Role::ours,
                        "registers, factored, inlined or switch, by layout, order, classes, agents and ticks", nullptr,
                        classes_unsupported_reason, true);
    variant.make = make_auto;
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
