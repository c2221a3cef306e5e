// `lockstep replicate --model`: the same CSV for every scheme and machine, designs, output analysis, and messages for
// invalid options.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiments/replications/command.hpp"
#include "experiments/replications/device_parts.hpp"
#include "experiments/replications/experiment.hpp"
#include "experiments/replications/replicate_progress.hpp"
#include "experiments/replications/replicate_request.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/simt/devices.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::replications::tests {
namespace {

using lockstep::tests::joined;
using lockstep::tests::Words;

std::string model(std::string const& name) { return "examples/replications/models/" + name; }
bool holds(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

class ReplicateModel : public lockstep::tests::ToolTest {
protected:
    ReplicateModel() : ToolTest("replicate", replicate_command) {}

    std::string own(std::string const& measures, std::string const& steps = "4") const {
        return file("own.hpp", "parameter u64 steps = " + steps +
                                   ";\nparameter f64 shift = 0;\nstruct State { f64 x = 0; };\n"
                                   "void step(State& s) { s.x = draw.normal(shift, 1); }\n" +
                                   measures);
    }
};

TEST_F(ReplicateModel, EverySchemeAndMachineWritesTheSameBytes) {
    std::string const design = file("design.csv", "utilisation, steps\n0.5, 40\n0.9, 25\n");
    Words const job = {"--model", model("mm1.hpp"), "--design", design, "--replications", "12", "--warm-up", "10"};
    std::string const expected = csv_of(joined(job, {"--scheme", "sequential"}));
    EXPECT_EQ(expected.substr(0, expected.find('\n')),
              "point,replication,steps,utilisation,steps_taken,in_queue,in_system");
    EXPECT_TRUE(holds(expected, "\n1,11,25,0.90000000000000002,25,"));
    EXPECT_EQ(csv_of(joined(job, {"--machine", "cpu"})), expected);
    for (char const* const scheme : {"threads", "warps", "cooperative:8", "cooperative:64", "auto"})
        EXPECT_EQ(csv_of(joined(job, {"--machine", "emulator", "--scheme", scheme})), expected) << scheme;
    Words const set = {"--model", model("mm1.hpp"), "--set", "utilisation=0.5", "--set", "steps=40"};
    std::string const one = csv_of(joined(set, {"--replications", "12", "--warm-up", "10"}));
    EXPECT_EQ(expected.substr(0, one.size()), one);
}

TEST_F(ReplicateModel, OptionsWithoutEffectAreRefused) {
    std::string const design = file("design.csv", "shift\n0.5\n0.9\n");
    Words const job = {"--model", own("mean y = s.x;"), "--machine", "cpu"};
    EXPECT_EQ(error_of(joined(job, {"--common-random-numbers"})),
              "--common-random-numbers has no effect (there is one point) Add --design FILE.");
    EXPECT_EQ(error_of(joined(job, {"--design", design, "--set", "shift=3"})),
              "--set shift has no effect (" + design + " has a column shift) Leave one of them out.");
    EXPECT_EQ(error_of(joined(job, {"--design", design, "--set", "steps=3", "--common-random-numbers"})), "no error");
}

// The words of all replications of a job that as many devices share as the request says.
std::vector<bench::UnitResult> results_of(Words words, bench::Machine machine, std::uint64_t devices) {
    words.insert(words.begin(), "replicate");
    std::vector<char const*> argv;
    for (std::string const& word : words)
        argv.push_back(word.c_str());
    bench::Experiment const experiment = make_experiment();
    Request request = read_request(static_cast<int>(argv.size()), argv.data(), experiment);
    request.devices = devices;
    ModelSimulation* own = nullptr;
    std::vector<std::unique_ptr<Simulation>> const simulations = simulations_of(request, experiment, own);
    return run_in_parts(simulations, machine, 0, request.replications);
}

// More devices than replications leave some idle. The parts of a job run here without GPUs.
TEST_F(ReplicateModel, ResultsDoNotDependOnTheNumberOfDevices) {
    std::string const design = file("design.csv", "utilisation\n0.5\n0.9\n");
    Words const own = {"--model", model("mm1.hpp"), "--design", design, "--set", "steps=30", "--replications", "7"};
    Words const built_in = {"walk", "--steps", "20", "--replications", "7"};
    for (Words const& job : {own, built_in}) {
        std::vector<bench::UnitResult> const expected = results_of(job, bench::Machine::cpu, 1);
        EXPECT_EQ(expected.size(), job == own ? 14u : 7u);
        for (bench::Machine const machine : {bench::Machine::cpu, bench::Machine::emulator}) {
            for (std::uint64_t const devices : {2u, 3u, 8u})
                EXPECT_EQ(results_of(job, machine, devices), expected) << devices;
        }
    }
}

TEST_F(ReplicateModel, DevicesAreGpusOfThisHost) {
    EXPECT_TRUE(holds(error_of({"pi", "--devices", "0"}), "--devices 0 is out of range"));
    for (char const* const machine : {"cpu", "emulator"})
        EXPECT_EQ(error_of({"pi", "--devices", "2", "--machine", machine}),
                  std::string("--devices has no effect with machine ") + machine +
                      " (it counts the GPUs that share the replications) Leave it out.");
    EXPECT_TRUE(holds(error_of({"pi", "--devices", "2", "--scheme", "sequential"}), "with scheme sequential"));
    std::size_t const gpus = simt::cuda_device_count();
    for (char const* const machine : {"auto", "cuda"}) {
        EXPECT_TRUE(holds(
            error_of({"pi", "--devices", std::to_string(gpus + 2), "--machine", machine}),
            "cannot use " + std::to_string(gpus + 2) + " devices (this host has " + std::to_string(gpus) + " GPUs)"));
    }
    EXPECT_EQ(run({"pi", "--devices", "1", "--machine", "cpu", "--draws", "10"}).code, 0);
}

TEST_F(ReplicateModel, StopsAtAnAbsolutePrecision) {
    Words const job = {"--model", own("result x = s.x;"), "--absolute-precision", "0.1", "--json"};
    std::string const text = output_of(job);
    EXPECT_TRUE(holds(text, "\"precision_reached\": true")) << text;
    EXPECT_TRUE(holds(run(joined(job, {"--max-replications", "40"})).out, "\"precision_reached\": false"));
    Words const bounded = {"--model", file("own.hpp"), "--absolute-precision", "1e-3", "--max-replications", "40"};
    lockstep::tests::Ran const ran = run(bounded);
    EXPECT_EQ(ran.code, 3);
    EXPECT_TRUE(holds(ran.err, "lockstep: absolute precision 0.001 was not reached (reached 0.")) << ran.err;
    EXPECT_TRUE(holds(ran.err, " for x, within 40 replications per point)")) << ran.err;
}

// The intervals of 0.5 and of 0.95 have the ratio of Student's quantiles for 29 degrees of freedom.
TEST_F(ReplicateModel, ConfidenceAndQuantilesArePrinted) {
    auto const width = [&](std::string const& confidence) {
        std::string const text = output_of(
            {"--model", own("result x = s.x;"), "--interval", "student", "--confidence", confidence, "--json"});
        auto const number = [&](char const* name) {
            return std::stod(text.substr(text.find(std::string("\"") + name + "\": ") + std::string(name).size() + 4));
        };
        return number("high") - number("low");
    };
    EXPECT_NEAR(width("0.95") / width("0.5"), 2.04523 / 0.683044, 1e-3);
    std::string const text = output_of({"--model", file("own.hpp"), "--quantiles", "0.5,0.999", "--confidence", "0.9"});
    EXPECT_TRUE(holds(text, "90% interval")) << text;
    EXPECT_TRUE(holds(text, "needs more replications")) << text;
}

// The square of a square of a normal variate has a long tail; a normal variate has none.
TEST_F(ReplicateModel, ResultsThatLookTooSkewedAreMarkedWithEitherInterval) {
    Words const job = {"--model", own("result x = s.x;\nresult y = s.x * s.x * s.x * s.x;")};
    std::string const mark = " (the results look too skewed for so few replications)\n";
    for (char const* const interval : {"skewed", "student"}) {
        Words const one = joined(job, {"--interval", interval});
        std::string const text = output_of(one);
        ASSERT_TRUE(holds(text, mark)) << text;
        EXPECT_EQ(text.find(mark), text.rfind(mark)) << text;
        EXPECT_GT(text.find(mark), text.find(" y ")) << text;
        std::string const json = output_of(joined(one, {"--json"}));
        EXPECT_TRUE(holds(json.substr(0, json.find("\"y\"")), "\"too_skewed\": false")) << json;
        EXPECT_TRUE(holds(json.substr(json.find("\"y\"")), "\"too_skewed\": true")) << json;
    }
    EXPECT_FALSE(holds(output_of(joined(job, {"--replications", "2000"})), "too skewed"));
    EXPECT_TRUE(holds(error_of(joined(job, {"--interval", "hall"})), "skewed or student is expected"));
}

// With common random numbers, points that differ by a shift differ by exactly that.
TEST_F(ReplicateModel, CommonRandomNumbersCompareDesigns) {
    std::string const design = file("design.csv", "shift\n0\n0.25\n");
    Words const job = {"--model", own("result x = s.x;"), "--design", design};
    std::string const text = output_of(joined(job, {"--common-random-numbers"}));
    EXPECT_TRUE(holds(text, "1 - 0")) << text;
    EXPECT_TRUE(holds(text, "0.25")) << text;
    EXPECT_FALSE(holds(output_of(job), "1 - 0"));
}

// A normal variate and its antithetic one have the mean 0.
TEST_F(ReplicateModel, AntitheticPairsAreSamples) {
    std::string const text = output_of({"--model", own("result x = s.x;"), "--antithetic", "--json"});
    EXPECT_TRUE(holds(text, "\"deviation\": 0") || holds(text, "e-1")) << text;
    EXPECT_TRUE(holds(error_of({"--model", file("own.hpp"), "--antithetic", "--replications", "5"}), "odd number"));
}

// Of 100 samples, an interval of the share has 0.5 well inside.
TEST_F(ReplicateModel, CoverageOfEveryEstimate) {
    std::string const design = file("design.csv", "shift\n0\n2\n");
    Words const job = {"--model",
                       own("result x = s.x;"),
                       "--design",
                       design,
                       "--replications",
                       "1000",
                       "--coverage",
                       "10",
                       "--confidence",
                       "0.5",
                       "--quantiles",
                       "0.5",
                       "--common-random-numbers"};
    std::string const text = output_of(job);
    for (char const* const part :
         {"point 0, mean of x: 0.", "point 1, quantile 0.5 of x: 0.", "point 1, difference of x: "})
        EXPECT_TRUE(holds(text, part)) << text;
    EXPECT_FALSE(holds(text, "point 0, difference"));
    double const share = std::stod(text.substr(text.find("mean of x: ") + 11));
    EXPECT_NEAR(share, 0.5, 0.2);
    EXPECT_TRUE(holds(output_of(joined(job, {"--json"})),
                      "\"coverage\": [{\"point\": 0, \"measure\": \"x\", \"of\": \"mean\""));
}

TEST_F(ReplicateModel, SeriesAndWarmUp) {
    std::string const path = file("series.csv");
    output_of({"--model", own("mean x = s.x; mean n = step_number;"), "--replications", "3", "--series", path});
    std::string const text = bench::read_file(path);
    EXPECT_EQ(text.substr(0, text.find('\n')), "point,replication,step,x,n");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 13);
    EXPECT_TRUE(holds(text, "\n0,2,4,"));
    // The model rises for 40 steps and then stays.
    std::string const rising = file("rising.hpp",
                                    "parameter u64 steps = 400;\nstruct State { f64 x = 0; };\n"
                                    "void step(State& s) { s.x = min(1.0 * step_number, 40.0); }\nmean x = s.x;\n");
    EXPECT_TRUE(holds(output_of({"--model", rising, "--warm-up", "mser-5"}), "warm-up of 40 steps"));
    EXPECT_TRUE(holds(output_of({"--model", rising, "--warm-up", "7", "--json"}), "\"warm_up\": 7"));
    std::string const ends =
        file("ends.hpp", bench::read_file(rising) + "bool finished(State const& s) { return s.x >= 5; }\n");
    EXPECT_TRUE(holds(output_of({"--model", ends, "--warm-up", "5", "--machine", "cpu"}), "warm-up of 5 steps"));
    EXPECT_TRUE(holds(error_of({"--model", ends, "--warm-up", "6", "--machine", "cpu"}),
                      "has no mean (it ended after 6 steps, within the warm-up) Shorten --warm-up, or use a result."));
    EXPECT_TRUE(holds(error_of({"--model", rising, "--warm-up", "400"}), "a warm-up of 400 steps is too long"));
    EXPECT_TRUE(holds(error_of({"--model", rising, "--warm-up", "mser-5", "--set", "steps=15"}), "too short"));
}

TEST_F(ReplicateModel, WrongOptionsGetOneClearLine) {
    std::string const gg1 = model("gg1.hpp");
    EXPECT_TRUE(holds(error_of({}), "no model"));
    EXPECT_TRUE(holds(error_of({"pi", "--model", gg1}), "two models"));
    EXPECT_TRUE(holds(error_of({"pi", "--set", "draws=3"}), "--set needs --model"));
    EXPECT_TRUE(holds(error_of({"mm1", "--antithetic"}), "--antithetic needs --model"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--clients", "3"}), "--clients has no effect for a model file"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--engine", "taus88"}), "--engine has no effect"));
    EXPECT_TRUE(
        holds(error_of({"--model", gg1, "--set", "steps=0"}), "no steps in a replication (steps is 0 at point 0)"));
    EXPECT_TRUE(
        holds(error_of({"--model", gg1, "--design", file("zero.csv", "steps\n5\n0\n")}), "steps is 0 at point 1"));
    EXPECT_TRUE(holds(output_of({"--model", own("result x = s.x;", "0"), "--machine", "cpu"}), "x "));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--set", "steps"}), "it must be NAME=VALUE"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--set", "stepz=3"}), "did you mean steps?"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--set", "steps=-3"}), "must be an integer"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--quantiles", "0.5,"}), "quantiles 0.5, do not parse"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--quantiles", "1"}), "above 0 and below 1"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--confidence", "1"}), "confidence 1.000000 is out of range"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--warm-up", "some"}), "warm-up some does not parse"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--absolute-precision", "-1"}), "absolute"));
    EXPECT_TRUE(holds(error_of({"--model", gg1, "--coverage", "30"}), "do not fit"));
    EXPECT_TRUE(holds(error_of({"--model", model("sir.hpp"), "--warm-up", "3"}), "--warm-up has no effect"));
    EXPECT_TRUE(
        holds(error_of({"--model", gg1, "--scheme", "warps", "--machine", "cpu"}), "does not exist on machine cpu"));
    EXPECT_TRUE(holds(error_of({"--model", file("absent.hpp")}), "absent.hpp"));
    std::string const design = file("design.csv", "utilisation\nhigh\n");
    EXPECT_TRUE(
        holds(error_of({"--model", gg1, "--design", design}), "design.csv:2:1: utilisation 'high' does not parse"));
    EXPECT_FALSE(std::filesystem::exists(file("out.csv")));
}

TEST(Progress, TellsWhatIsLeft) {
    EXPECT_EQ(progress_text(0, 400, 3, false), "[....................] 0 of 400 replications");
    EXPECT_EQ(progress_text(100, 400, 10, false), "[#####...............] 100 of 400 replications, 0:30 left");
    EXPECT_EQ(progress_text(200, 400, 9, true), "[##########..........] 200 of at most 400 replications");
    EXPECT_EQ(ReplicateProgress(400, false).part_of(400, 1e3), 400u);
}

// What is wrong with the file of a series is known before the replications run.
TEST_F(ReplicateModel, ASeriesThatCannotBeWrittenIsRefusedFirst) {
    std::string const csv = file("results.csv");
    std::filesystem::create_directory(file("folder"));
    Words const job = {"--model", own("mean x = s.x;"), "--machine", "cpu", "--csv", csv};
    EXPECT_TRUE(holds(error_of(joined(job, {"--series", file("folder")})), "folder"));
    EXPECT_TRUE(holds(error_of(joined(job, {"--series", file("s.csv"), "--replications", "40000000"})),
                      "the series are too long (they have more than 2^27 values)"));
    EXPECT_FALSE(std::filesystem::exists(csv));
}

// 30 replications without an event do not show that it is rarer than the precision.
TEST_F(ReplicateModel, AMeanOfZeroHasNoRelativePrecision) {
    Words const job = {"--model", own("result never = 0.0 * s.x;\nresult always = 1.0;"), "--machine", "cpu"};
    EXPECT_TRUE(holds(output_of(job), "(all results are equal)"));
    lockstep::tests::Ran const ran = run(joined(job, {"--precision", "0.1", "--max-replications", "100"}));
    EXPECT_EQ(ran.code, 3);
    EXPECT_TRUE(holds(ran.err, "precision 0.1 was not reached (all results are 0 for never, within 100 replications"));
    EXPECT_TRUE(holds(ran.err, "use --absolute-precision.")) << ran.err;
    EXPECT_TRUE(holds(output_of(joined(job, {"--absolute-precision", "0.1"})), "always"));
    EXPECT_TRUE(holds(output_of({"--model", own("result always = 1.0;"), "--precision", "0.1"}), "always"));
}

TEST_F(ReplicateModel, WhatHasNoIntervalIsSaid) {
    std::string const model = own("result x = s.x;");
    EXPECT_TRUE(holds(output_of({"--model", model, "--antithetic", "--replications", "2"}), "needs two pairs"));
    EXPECT_TRUE(holds(output_of({"--model", model, "--replications", "1"}), "needs two replications"));
    EXPECT_TRUE(holds(output_of({"--model", model, "--confidence", "0.9999999"}), "99.99999% interval"));
    std::string const few =
        output_of({"--model", model, "--replications", "100", "--coverage", "5", "--quantiles", "0.9"});
    EXPECT_TRUE(holds(few, "quantile 0.9 of x: samples of 5 replications have no interval")) << few;
}

// Without pyarrow, nothing runs and nothing is written.
TEST_F(ReplicateModel, ParquetNeedsPyarrow) {
    std::string const path = file("series.parquet");
    std::filesystem::create_directory(file("pyarrow"));
    setenv("PYTHONPATH", std::filesystem::path(path).parent_path().c_str(), 1);
    bench::write_file_atomically(file("pyarrow/__init__.py"), "raise ImportError");
    Words const words = {"--model", own("mean x = s.x;"), "--series", path};
    EXPECT_TRUE(holds(error_of(words), "cannot write Parquet (python3 cannot import pyarrow)"));
    EXPECT_FALSE(std::filesystem::exists(path));
    // Modules of these names stand in for pyarrow.
    bench::write_file_atomically(file("pyarrow/__init__.py"), "def float64():\n    return 'f64'\n");
    bench::write_file_atomically(
        file("pyarrow/csv.py"),
        "def ConvertOptions(column_types):\n    return column_types\n"
        "def read_csv(path, convert_options):\n"
        "    return ' '.join(f'{k}:{v}' for k, v in convert_options.items()) + open(path).read()\n");
    bench::write_file_atomically(file("pyarrow/parquet.py"),
                                 "def write_table(table, path):\n    open(path, 'w').write('PAR1' + table)\n");
    output_of(words);
    EXPECT_EQ(bench::read_file(path).substr(0, 35), "PAR1x:f64point,replication,step,x\n0");
    unsetenv("PYTHONPATH");
}

}  // namespace
}  // namespace lockstep::replications::tests
