#include "experiments/term_rewriting/experiment.hpp"

#include "common/term_rewriting/workload.hpp"

namespace lockstep::term_rewriting {

bench::Experiment make_experiment() {
    bench::Experiment experiment;
    experiment.name = "term_rewriting";
    experiment.title = "Innermost term rewriting";
    experiment.paper =
        "J. van Eerd, J.F. Groote, P. Hijma, J. Martens, A. Wijs, Term Rewriting on GPUs, Fundamentals of Software "
        "Engineering (FSEN), 2021";
    experiment.unit = "a term";
    experiment.item = "rewrites";
    experiment.axes = workload_axes();
    experiment.units = [](bench::Axes const&) { return std::uint64_t{1}; };
    add_variants(experiment);
    return experiment;
}

}  // namespace lockstep::term_rewriting
