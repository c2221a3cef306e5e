#pragma once
// What `replicate` runs: a built-in model, or a model file. Points are those of the design, or the single one of the
// command line.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/replications/model_file/model_file.hpp"
#include "common/replications/workload.hpp"
#include "experiments/replications/design.hpp"
#include "experiments/replications/run_job.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::replications {

// Values of the means of one replication after each of its steps.
using Series = std::vector<std::vector<double>>;  // by step, then by mean

class Simulation {
public:
    Simulation() = default;
    Simulation(Simulation const&) = delete;
    Simulation& operator=(Simulation const&) = delete;
    virtual ~Simulation() = default;

    virtual std::string name() const = 0;
    virtual std::vector<std::string> measure_names() const = 0;
    virtual std::size_t points() const = 0;
    virtual std::uint64_t items(std::size_t point) const = 0;  // per replication

    // Runs `count` replications of each point from number `first` on, and returns their results point by point. Throws
    // bench::Error.
    virtual std::vector<bench::UnitResult> run(bench::Machine machine, std::uint64_t first, std::uint64_t count) = 0;
    virtual std::vector<double> measures(std::size_t point, bench::UnitResult const& result) const = 0;
    // Throws bench::Error if a mean of the point is not accurate. `results` are all of the point, because one
    // replication of few values does not tell.
    virtual void check_means(std::size_t, std::vector<bench::UnitResult> const&) const {}

    virtual std::string csv_header() const = 0;
    virtual std::string csv_line(std::size_t point, std::uint64_t replication,
                                 bench::UnitResult const& result) const = 0;

    // Steps of each replication that a model file's means leave out.
    virtual void set_warm_up(std::uint64_t) {}
};

// How to run it.
struct Mapping {
    Scheme scheme;
    unsigned block = 0;  // threads per block; 0: the scheme's choice
    std::uint64_t seed = 1;
};

std::unique_ptr<Simulation> make_built_in(Model model, Engine engine, std::vector<DesignPoint> const& points,
                                          Mapping const& mapping);

// A simulation of a model file, which also records series.
class ModelSimulation : public Simulation {
public:
    virtual std::size_t mean_count() const = 0;
    // The series of replications first .. first + count - 1 of a point.
    virtual std::vector<Series> record(bench::Machine machine, std::size_t point, std::uint64_t first,
                                       std::uint64_t count) = 0;
};

struct ModelOptions {
    std::vector<std::vector<std::uint64_t>> parameters;  // bits, by point
    bool common_random_numbers = false;
    bool antithetic = false;
};

// Throws bench::Error if the scheme does not fit the model.
std::unique_ptr<ModelSimulation> make_model_simulation(model_file::ModelFile const& file, ModelOptions const& options,
                                                       Mapping const& mapping);

}  // namespace lockstep::replications
