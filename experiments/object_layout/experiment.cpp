#include "experiments/object_layout/experiment.hpp"

#include "common/object_layout/job_elements.hpp"
#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic.hpp"

namespace lockstep::object_layout {

namespace {

using Kind = bench::Axis::Kind;

std::vector<bench::Axis> axes() {
    return {
        {"program",
         Kind::text,
         "traffic",
         "the simulation, job reordering, tracing, a chain of maps, n bodies, families of creatures, fish and sharks, "
         "an infection, or vehicles that see one another",
         0,
         0,
         {"traffic", "jobs", "tracing", "maps", "bodies", "families", "wator", "infection", "nasch"}},
        {"streets",
         Kind::integer,
         "500",
         "streets of the random network (traffic, tracing, infection, nasch)",
         0,
         16777216.0,
         {}},
        {"network", Kind::text, "random", std::string(network_help) + " (traffic, infection, nasch)", 0, 0, {}},
        {"cars", Kind::integer, "4096", "number of cars (traffic, tracing)", 0, 2147483647.0, {}},
        {"pedestrians", Kind::integer, "16384", "number of pedestrians (traffic, tracing)", 0, 2147483647.0, {}},
        {"agents",
         Kind::integer,
         "0",
         "number of agents, a fifth of them cars; 0: as given by cars and pedestrians",
         0,
         2147483647.0,
         {}},
        {"types", Kind::integer, "2", "classes of agents (at most 32) or of elements (program jobs)", 1, 65536.0, {}},
        {"ticks", Kind::integer, "1000", "ticks of the simulation (not jobs, maps or tracing)", 0, 1073741824.0, {}},
        {"weather", Kind::text, "good", "traffic: cars are slower in bad weather", 0, 0, {"good", "bad"}},
        {"mode",
         Kind::text,
         "live",
         "traffic: live random numbers in each tick, or faithful to the paper's static table",
         0,
         0,
         {"faithful", "live"}},
        {"layout", Kind::text, "soa", "memory layout of fields", 0, 0, {"soa", "aos", "aos_padded", "aosoa"}},
        {"order",
         Kind::text,
         "sorted",
         "objects shuffled, shuffled with a job array, or sorted by class",
         0,
         0,
         {"shuffled", "jobs", "sorted"}},
        {"object_bytes", Kind::integer, "56", "aos_padded: bytes per agent, a multiple of 8", 16, 128, {}},
        {"sections", Kind::integer, "1", "traffic: number of parallel sections for the ticks", 1, 65536.0, {}},
        {"elements",
         Kind::integer,
         "100000",
         "cells (wator), people (infection), vehicles (nasch), or elements of the base array (jobs, maps, bodies, "
         "families)",
         0,
         2147483647.0,
         {}},
        {"chain", Kind::integer, "4", "maps: length of the chain", 1, 8, {}},
        {"launch_ticks",
         Kind::integer,
         "0",
         "traffic on a GPU: ticks of each launch; 0: all ticks in one launch",
         0,
         1073741824.0,
         {}},
        {"block",
         Kind::integer,
         "0",
         "threads per block, a multiple of 32 up to 1024; 0: the variant's choice",
         0,
         1024,
         {}},
    };
}

std::uint64_t units(bench::Axes const& axes) {
    std::string const& program = axes.text("program");
    if (program == "traffic")
        return agents_of(axes);
    if (program == "tracing")
        return agents_of(axes) + static_cast<std::uint64_t>(axes.integer("streets"));
    if (program == "jobs")
        return job_units(axes);
    return static_cast<std::uint64_t>(axes.integer("elements"));
}

void check(bench::Axes const& axes) {
    options_of(axes);
    std::string const& program = axes.text("program");
    if (program == "traffic" || program == "tracing")
        check_traffic(axes);
    if (program == "infection" || program == "nasch")
        check_streets(axes);
}

}  // namespace

bench::Experiment make_experiment() {
    bench::Experiment experiment;
    experiment.name = "object_layout";
    experiment.title = "Objects on a GPU: memory layout, method dispatch and order of execution";
    experiment.paper =
        "M. Springer, H. Masuhara, Object Support in an Array-Based GPGPU Extension for Ruby, 3rd ACM SIGPLAN "
        "International Workshop on Libraries, Languages, and Compilers for Array Programming (ARRAY), 2016, 25-31";
    experiment.unit =
        "an agent (traffic), an object (tracing), 1024 elements (jobs) or an element (maps, bodies, families, wator, "
        "infection, nasch)";
    experiment.item = "items";
    experiment.axes = axes();
    experiment.units = units;
    experiment.check = check;
    add_variants(experiment);
    for (bench::Reference& reference : experiment.references)
        reference.ignored_axes = {"layout", "order", "object_bytes", "launch_ticks", "block"};
    return experiment;
}

}  // namespace lockstep::object_layout
