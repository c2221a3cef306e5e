// Reference and CPU variant of list.

#include "reference_cpu/random_grids/traditional.hpp"

namespace lockstep::random_grids::cpu {

void add_list(bench::Experiment& experiment) {
    add_traditional(experiment, Traditional::list, "list",
                    "picks from a list of empty sites (slide: Traditional algorithms, variation 1)");
}

}  // namespace lockstep::random_grids::cpu
