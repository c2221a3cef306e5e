#include "experiments/term_rewriting/named_workload.hpp"

#include <sstream>

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

bool names_workload(std::string const& text) { return text.starts_with("@"); }

System named_workload(std::string const& text) {
    std::vector<bench::Axis> axes = workload_axes();
    axes.push_back({"seed", bench::Axis::Kind::integer, "1", "of random lists", 0, 1e18, {}});
    bench::Problem problem;
    std::vector<std::string> names;
    for (bench::Axis const& axis : axes) {
        problem.axes.set(axis.name, axis.default_value);
        names.push_back(axis.name);
    }
    std::istringstream words("system=" + text.substr(1));
    for (std::string word; std::getline(words, word, ',');) {
        std::size_t const equals = word.find('=');
        std::string const name = word.substr(0, equals);
        if (equals == word.npos)
            throw bench::Error("expected axis=value in " + text, "found " + word, "As in @tree_merge_sort,depth=14.");
        bench::require_known("axis", name, names);
        std::string const value = word.substr(equals + 1);
        for (bench::Axis const& axis : axes) {
            if (axis.name == name)
                bench::check_axis_value(axis, value);
        }
        problem.axes.set(name, value);
    }
    problem.seed = static_cast<std::uint64_t>(problem.axes.integer("seed"));
    Workload const workload = read_workload(problem);
    System system = system_of(workload);
    system.inputs.assign(1, make_input(system, workload, system.terms));
    return system;
}

}  // namespace lockstep::term_rewriting
