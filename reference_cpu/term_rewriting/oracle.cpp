// The variant of the oracle.

#include "common/term_rewriting/workload.hpp"

namespace lockstep::term_rewriting::cpu {

void add_oracle(bench::Experiment& experiment);

void add_oracle(bench::Experiment& experiment) {
    bench::Reference reference;
    reference.name = "oracle";
    reference.unit = [](bench::Problem const& problem, std::uint64_t) {
        return expected_result(read_workload(problem));
    };
    reference.unsupported_reason = [](bench::Problem const& problem) {
        Workload const workload = read_workload(problem);
        return workload.elements > 7 && workload.depth > 10 && workload.system == "tree_merge_sort"
                   ? std::string("too many distinct lists to sort each by the oracle")
                   : std::string();
    };
    experiment.references.push_back(std::move(reference));

    bench::Variant variant;
    variant.name = "oracle";
    variant.role = bench::Role::reference;
    variant.machine = bench::Machine::cpu;
    variant.reference = "oracle";
    variant.description = "rules tried in order on a term graph, one core";
    variant.make = [](bench::Problem const& problem) { return make_engine_case("oracle", problem); };
    variant.unsupported_reason = [](bench::Axes const& axes) {
        return axes.integer("depth") > 20 ? std::string("the oracle keeps every term that it makes") : std::string();
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::term_rewriting::cpu
