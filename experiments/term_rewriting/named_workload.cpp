#include "experiments/term_rewriting/named_workload.hpp"

#include <sstream>

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

bool names_workload(std::string const& text) { return text.starts_with("@"); }

System named_workload(std::string const& text) {
    bench::Experiment named;
    named.name = "a workload";
    named.axes = workload_axes();
    named.axes.push_back({"seed", bench::Axis::Kind::integer, "1", "seed of the random lists", 0, 1e18, {}});
    bench::Problem problem;
    problem.axes = bench::default_axes(named);
    std::istringstream words("system=" + text.substr(1));
    for (std::string word; std::getline(words, word, ',');) {
        std::size_t const equals = word.find('=');
        if (equals == word.npos)
            throw bench::Error("expected axis=value in " + text, "found " + word,
                               "Example: @tree_merge_sort,depth=14.");
        bench::set_axis(named, problem.axes, word.substr(0, equals), word.substr(equals + 1));
    }
    problem.seed = static_cast<std::uint64_t>(problem.axes.integer("seed"));
    Workload const workload = read_workload(problem);
    System system = system_of(workload);
    system.inputs.assign(1, make_input(system, workload, system.terms));
    return system;
}

}  // namespace lockstep::term_rewriting
