// `auto`: what is expected to be the fastest on a GPU, by the cells of the sweeps that begin with `auto`. That is the
// choice of `lockstep traffic`. A simulation that is repeated tries the other kernels too.

#include <vector>

#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic_case.hpp"
#include "harness/bench/fastest_case.hpp"
#include "kernels/object_layout/traffic_makers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

using Maker = std::unique_ptr<bench::Case> (*)(TrafficRequest const&);

// Two classes, or one. Agents in registers need as many ticks as repay reading all of an agent at once; where a warp
// has agents of both classes, it does so for one class after the other. Padded structures that exceed the cache repay
// it sooner, and so do columns of few agents. One tick of many agents has no use for registers.
Maker expected_for_two_classes(TrafficRequest const& request, unsigned ticks) {
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
Maker expected_for_many_classes(TrafficRequest const& request, unsigned ticks) {
    unsigned const types = request.traffic->types;
    if (request.options.order == Order::shuffled)
        return make_factored;
    if (request.options.order == Order::sorted)
        return ticks < 16 ? make_factored : make_inlined;
    if (types >= 16 || (types <= 4 && ticks >= 64))
        return make_inlined;
    return ticks < 6 ? make_factored : make_switch;
}

bool has_registers(bench::Axes const& axes) {
    return axes.integer("types") > 2 ? registers_unsupported_reason(axes).empty()
                                     : registers_anywhere_unsupported_reason(axes).empty();
}

Maker expected_to_be_fastest(bench::Axes const& axes, TrafficRequest const& request) {
    unsigned const ticks = ticks_per_launch(request.traffic->ticks, request.options);
    if (request.traffic->types > 2)
        return ticks >= 16 && has_registers(axes) ? make_registers : expected_for_many_classes(request, ticks);
    return has_registers(axes) ? expected_for_two_classes(request, ticks) : make_factored;
}

std::unique_ptr<bench::Case> make_auto(bench::Problem const& problem) {
    TrafficRequest const request = request_of(problem);
    Maker const expected = expected_to_be_fastest(problem.axes, request);
    std::vector<bench::CaseMaker> candidates = {[&request, expected] { return expected(request); }};
    auto const add = [&](Maker const make, bool const is_supported) {
        if (is_supported && make != expected)
            candidates.push_back([&request, make] { return make(request); });
    };
    add(make_registers, has_registers(problem.axes));
    add(make_factored, true);
    add(make_inlined, true);
    add(make_switch, true);
    // Not `delayed`: in no measured cell is it faster than the fastest of the others.
    bool const one_launch = problem.axes.integer("launch_ticks") == 0;
    add(make_python_classes, one_launch && python_classes_unsupported_reason(problem.axes).empty());
    return bench::fastest_case(problem, simt::LOCKSTEP_MACHINE::machine, candidates);
}

}  // namespace

void add_auto(bench::Experiment& experiment) {
    bench::Variant variant = traffic_variant(
        "auto", bench::Role::ours,
        "registers, factored, inlined or switch, by layout, order, classes, agents and ticks; if repeated, the fastest "
        "of these and python_classes by trial",
        nullptr, classes_unsupported_reason, true);
    variant.make = make_auto;
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
