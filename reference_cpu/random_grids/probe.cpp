// Reference and CPU variant of probe.

#include "reference_cpu/random_grids/traditional.hpp"

namespace lockstep::random_grids::cpu {

void add_probe(bench::Experiment& experiment) {
    add_traditional(experiment, Traditional::probe, "probe",
                    "probes sites at random (slide: Traditional algorithms, variation 2)");
}

}  // namespace lockstep::random_grids::cpu
