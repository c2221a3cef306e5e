// The variant of the oracle.

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::term_rewriting::cpu {

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

    experiment.variants.push_back(bench::cpu::make_variant(
        "oracle", bench::Role::reference, "oracle", "rules tried in order on a term graph, one core",
        [](bench::Problem const& problem) { return make_engine_case("oracle", problem); },
        [](bench::Axes const& axes) {
            return axes.integer("depth") > 20 ? std::string("the oracle keeps every term that it makes")
                                              : std::string();
        }));
}

}  // namespace lockstep::term_rewriting::cpu
