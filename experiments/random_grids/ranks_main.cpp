// random_grids_ranks VARIANT MACHINE ENGINE GRID K: writes the ranks of sets drawn by a variant as raw random bits
// (ranks.hpp) to standard output, until the reader closes it. `dieharder` in this folder feeds them to a test battery.

#include <cstdio>
#include <string>

#include "common/random_grids/workload.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "experiments/random_grids/ranks.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::random_grids {
namespace {

bench::Variant const& find(bench::Experiment const& experiment, std::string const& name, std::string const& machine) {
    for (bench::Variant const& variant : experiment.variants) {
        if (variant.name == name && simt::to_string(variant.machine) == machine)
            return variant;
    }
    throw bench::Error("no variant " + name + " on machine " + machine, "", "`lockstep list` shows all variants.");
}

// Writes all sets of one launch; returns false if the reader has closed the stream.
bool write_ranks(bench::Variant const& variant, bench::Problem const& problem, Shape const& shape, RankBits& ranks) {
    std::unique_ptr<bench::Case> const drawing = variant.make(problem);
    drawing->reset();
    drawing->run({});
    std::vector<std::uint64_t> units;
    for (std::uint64_t i = 0; i < problem.units; ++i)
        units.push_back(problem.first_unit + i);
    std::vector<std::uint32_t> words;
    for (bench::UnitResult const& result : drawing->results(units)) {
        for (std::size_t at = 0; at < result.size(); at += shape.words()) {
            std::uint64_t set = result[at];
            if (shape.words() == 2)
                set |= std::uint64_t{result[at + 1]} << 32;
            ranks.add(set, [&](std::uint32_t word) { words.push_back(word); });
        }
    }
    return std::fwrite(words.data(), 4, words.size(), stdout) == words.size();
}

int run(int argc, char** argv) {
    if (argc != 6)
        throw bench::Error("random_grids_ranks needs VARIANT MACHINE ENGINE GRID K",
                           std::to_string(argc - 1) + " arguments given", "For instance unranked cpu xorwow 32x1 16.");
    Shape const shape = parse_shape(argv[4]);
    if (shape.height != 1 || shape.width > 64)
        throw bench::Error("cannot rank sets of grid " + std::string(argv[4]),
                           "ranks have 64 bits, so a grid is one row of at most 64 sites", "Try 32x1.");
    bench::Experiment const experiment = make_experiment();
    bench::Variant const& variant = find(experiment, argv[1], argv[2]);
    bench::Problem problem;
    problem.units = variant.machine == bench::Machine::cuda ? 65536 : 64;
    problem.axes = bench::default_axes(experiment);
    problem.axes.set("grid", argv[4]);
    problem.axes.set("occupied", argv[5]);
    problem.axes.set("engine", argv[3]);
    problem.axes.set("streams", std::to_string(problem.units));
    problem.axes.set("length", "256");
    problem.axes.set("output", "stored");
    experiment.check(problem.axes);
    if (std::string const reason = variant.unsupported_reason(problem.axes); !reason.empty())
        throw bench::Error("cannot draw with variant " + variant.name, reason);
    RankBits ranks(shape.width, read_workload(problem.axes).occupied.at(0));
    if (ranks.bits() == 0)
        throw bench::Error("a single set has no random bits", "k is " + std::string(argv[5]), "Try half the sites.");
    for (problem.seed = 1; write_ranks(variant, problem, shape, ranks); ++problem.seed) {
    }
    return 0;
}

}  // namespace
}  // namespace lockstep::random_grids

int main(int argc, char** argv) {
    try {
        return lockstep::random_grids::run(argc, argv);
    } catch (lockstep::bench::Error const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
