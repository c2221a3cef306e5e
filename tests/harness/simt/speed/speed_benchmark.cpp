// Times the emulator on one CPU thread: nanoseconds per lane and round, for each kind of operation, block size and
// order of the lanes. Not a test. Build and run it with
//
//     cmake --build build/release --target simt_speed
//     build/release/tests/harness/simt/simt_speed --benchmark_repetitions=5
//
// On a machine that others use, the minimum of the repetitions is the number to read.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "harness/simt/emulator/options.hpp"
#include "tests/harness/simt/speed/speed.hpp"

namespace lockstep::speed {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

struct Operation {
    char const* name;
    emulator::LaunchRounds launch;
    unsigned rounds;
};

constexpr Operation operations[] = {
    {"straight", emulator::straight, 1},    {"barriers", emulator::barriers, 64}, {"shuffles", emulator::shuffles, 64},
    {"syncwarps", emulator::syncwarps, 64}, {"atomics", emulator::atomics, 64},   {"reduction", emulator::reduction, 1},
};

constexpr struct {
    char const* name;
    LaneOrder order;
} orders[] = {{"ascending", LaneOrder::ascending}, {"random", LaneOrder::random}, {"unfair", LaneOrder::unfair}};

void time_operation(benchmark::State& state, Operation const& operation, LaneOrder order, unsigned block_size) {
    ScopedOptions const scope(Options{.order = order, .seed = 1, .threads = 1});
    unsigned const lanes = operation.rounds == 1 ? 1u << 16 : 1u << 13;
    for (auto _ : state) {
        operation.launch(lanes / block_size, block_size, operation.rounds);
    }
    double const done = static_cast<double>(state.iterations()) * lanes * operation.rounds;
    state.counters["ns"] = benchmark::Counter(done * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

double minimum(std::vector<double> const& values) { return *std::min_element(values.begin(), values.end()); }

}  // namespace
}  // namespace lockstep::speed

int main(int argc, char** argv) {
    using namespace lockstep::speed;
    for (auto const& [order_name, order] : orders) {
        for (Operation const& operation : operations) {
            for (unsigned const block_size : {32u, 128u, 1024u}) {
                std::string const name =
                    std::string(operation.name) + "/" + order_name + "/block:" + std::to_string(block_size);
                benchmark::RegisterBenchmark(name.c_str(), time_operation, operation, order, block_size)
                    ->ComputeStatistics("min", minimum)
                    ->MinTime(0.1);
            }
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
}
