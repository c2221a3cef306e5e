#pragma once
// Runs model files in tests.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/replications/model_run.hpp"
#include "experiments/replications/simulation.hpp"
#include "harness/bench/error.hpp"
#include "harness/random/logarithm.hpp"
#include "harness/random/philox.hpp"
#include "harness/simt/error.hpp"
#include "tests/support/machines.hpp"

namespace lockstep::replications::tests {

using model_file::ModelFile;
using model_file::parse_model_file;
using model_file::Settings;

inline std::string const model_examples = "examples/replications/models/";

inline ModelOptions options_of(ModelFile const& file, Settings const& settings) {
    return {{jit::parameter_bits(file.parameters, file.path, settings)}, false, false};
}

// The measures of `count` replications: by replication, then by measure.
inline std::vector<std::vector<double>> measures_of(ModelFile const& file, ModelOptions const& options,
                                                    bench::Machine machine, std::string const& scheme,
                                                    std::uint64_t count, std::uint64_t warm_up = 0) {
    auto const simulation = make_model_simulation(file, options, {parse_scheme(scheme), 0, 1});
    simulation->set_warm_up(warm_up);
    std::vector<std::vector<double>> all;
    std::vector<bench::UnitResult> const results = simulation->run(machine, 0, count);
    simulation->check_means(0, results);
    for (bench::UnitResult const& result : results)
        all.push_back(simulation->measures(0, result));
    return all;
}
inline std::vector<std::vector<double>> measures_of(std::string const& example, Settings const& settings,
                                                    std::uint64_t count) {
    ModelFile const file = model_file::read_model_file(model_examples + example);
    return measures_of(file, options_of(file, settings), bench::Machine::cpu, "auto", count);
}

inline std::vector<double> column(std::vector<std::vector<double>> const& rows, std::size_t i) {
    std::vector<double> values;
    for (std::vector<double> const& row : rows)
        values.push_back(row[i]);
    return values;
}

// The draws of a stream as the page of model files defines them, without the language's own code.
class PlainStream {
public:
    // Stream 0 is `draw`, and then those of the file in order. Points have 8 streams each.
    PlainStream(std::uint64_t replication, unsigned stream, unsigned point = 0, std::uint64_t seed = 1)
        : engine_(random::cpu::Philox4x32<10>::stream(seed, replication, 8 * point + stream)) {}

    double uniform() { return (engine_() + 0.5) / 4294967296.0; }
    double exponential() {
        return std::ldexp(static_cast<double>(random::cpu::minus_log(engine_())),
                          -static_cast<int>(random::cpu::minus_log_fraction_bits));
    }

private:
    random::cpu::Philox4x32<10> engine_;
};

inline bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

// The error of parsing, compiling and running a model, or "no error".
inline std::string error_of_model(std::string const& text, bench::Machine machine = bench::Machine::cpu,
                                  std::string const& scheme = "auto") {
    try {
        ModelFile const file = parse_model_file(text, "own.hpp");
        measures_of(file, options_of(file, {}), machine, scheme, 3);
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace lockstep::replications::tests
