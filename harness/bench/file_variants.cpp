#include "harness/bench/file_variants.hpp"

#include "harness/bench/error.hpp"

namespace lockstep::bench {

void add_variants_of_file(Experiment& experiment, std::string const& stem, void (*add)(Experiment&)) {
    std::size_t const before = experiment.variants.size();
    add(experiment);
    for (std::size_t i = before; i < experiment.variants.size(); ++i) {
        std::string const& name = experiment.variants[i].name;
        experiment.variants[i].source = stem;
        if (name != stem && !name.starts_with(stem + "_")) {
            throw Error("variant " + name + " of " + experiment.name + " is in the file " + stem,
                        "a variant is named after its file",
                        "Name it " + stem + " or " + stem + "_SUFFIX, or move it to a file with its name.");
        }
    }
}

}  // namespace lockstep::bench
