#include "common/replications/workload.hpp"

#include <cmath>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::replications {

unsigned words_per_result(Model model) {
    return model == Model::pi || model == Model::branches ? 2 : model == Model::mm1 ? 6 : 3;
}

Point make_point(Model model, std::uint64_t items, double utilisation, unsigned chunks) {
    if (items > max_items) {
        throw bench::Error("a replication of " + std::to_string(items) + " items is too long", "the limit is 2^30",
                           "Use more replications instead.");
    }
    Point point;
    point.items = static_cast<unsigned>(items);
    if (model == Model::mm1) {
        if (!(utilisation >= 0.01 && utilisation <= 0.99)) {
            throw bench::Error("utilisation " + std::to_string(utilisation) + " is out of range",
                               "arrivals per service, from 0.01 to 0.99", "Try 0.75.");
        }
        point.inverse_rate = static_cast<unsigned>(std::lround(65536 / utilisation));
    }
    if (model == Model::walk || model == Model::chunk_walk) {
        if (chunks != 4 && chunks != 30) {
            throw bench::Error("a map of " + std::to_string(chunks) + " chunks is unknown", "a map has 4 or 30 chunks",
                               "Try 30.");
        }
        point.chunk_width = map_width / (chunks == 30 ? 6 : 2);
        point.chunk_height = map_height / (chunks == 30 ? 5 : 2);
    }
    return point;
}

std::string_view to_string(Model model) {
    switch (model) {
        case Model::pi:
            return "pi";
        case Model::mm1:
            return "mm1";
        case Model::walk:
            return "walk";
        case Model::chunk_walk:
            return "chunk_walk";
        default:
            return "branches";
    }
}

std::string why_not_shared(Model model) {
    return model == Model::chunk_walk ? "a step of chunk_walk depends on the square, so runs of steps do not compose"
                                      : "";
}

Model model_from_string(std::string const& name) {
    bench::require_known("model", name, {"pi", "mm1", "walk"});
    return name == "pi" ? Model::pi : name == "mm1" ? Model::mm1 : Model::walk;
}

Engine engine_from_string(std::string const& name) {
    bench::require_known("engine", name, {"taus88", "philox10"});
    return name == "taus88" ? Engine::taus88 : Engine::philox10;
}

Workload read_workload(bench::Axes const& axes) {
    Workload workload;
    std::string const model = axes.text("model");
    workload.model = model == "chunk_walk" ? Model::chunk_walk
                     : model == "branches" ? Model::branches
                                           : model_from_string(model);
    workload.engine = engine_from_string(axes.text("engine"));
    char const* const size = workload.model == Model::pi ? "draws" : workload.model == Model::mm1 ? "clients" : "steps";
    workload.point = make_point(workload.model, static_cast<std::uint64_t>(axes.integer(size)),
                                axes.real("utilisation"), static_cast<unsigned>(axes.integer("chunks")));
    workload.point.ways = static_cast<unsigned>(axes.integer("ways"));
    workload.point.rounds = static_cast<unsigned>(axes.integer("rounds"));
    workload.point.loads = static_cast<unsigned>(axes.integer("loads"));
    return workload;
}

Job job_of(bench::Problem const& problem) {
    Workload const workload = read_workload(problem.axes);
    return {workload.model, workload.engine, problem.seed, problem.first_unit, problem.units, {workload.point}};
}

std::vector<bench::Axis> workload_axes() {
    using Kind = bench::Axis::Kind;
    return {
        {"model", Kind::text, "pi", "model to replicate", 0, 0, {"pi", "mm1", "walk", "chunk_walk", "branches"}},
        {"replications", Kind::integer, "64", "units: independent runs of the model", 0, 4294967295.0, {}},
        {"draws", Kind::integer, "100000", "pi: points drawn per replication", 0, 1073741824.0, {}},
        {"clients", Kind::integer, "10000", "mm1: customers per replication", 0, 1073741824.0, {}},
        {"steps", Kind::integer, "1000", "walk, chunk_walk, branches: steps per replication", 0, 1073741824.0, {}},
        {"utilisation", Kind::real, "0.75", "mm1: arrivals per service", 0.01, 0.99, {}},
        {"chunks", Kind::integer, "30", "walk: chunks of the map, 30 as in the paper or 4 as in its model", 4, 30, {}},
        {"ways", Kind::integer, "8", "branches: different branches of a step", 1, 64, {}},
        {"rounds", Kind::integer, "4", "chunk_walk, branches: length of a branch", 0, 4096, {}},
        {"loads", Kind::integer, "0", "branches: dependent words that a step reads from memory", 0, 64, {}},
        {"engine", Kind::text, "taus88", "random-number generator", 0, 0, {"taus88", "philox10"}},
        {"block",
         Kind::integer,
         "0",
         "threads per block, a multiple of 32 up to 1024; 0: the variant's choice",
         0,
         1024,
         {}},
        {"lanes",
         Kind::integer,
         "0",
         "active lanes: replications per warp (variant lanes) or lanes per replication (cooperative); 0: the "
         "variant's choice",
         0,
         1048576.0,
         {}},
    };
}

bench::Work work_of(Job const& job) {
    double const n = static_cast<double>(job.replications);
    bench::Work work;
    for (Point const& point : job.points)
        work.items += n * point.items;
    work.bytes = 4.0 * words_per_result(job.model) * n * static_cast<double>(job.points.size());
    work.operations = work.items * (job.model == Model::pi || job.model == Model::mm1 ? 2 : 1);
    return work;
}

}  // namespace lockstep::replications
