#include "harness/bench/google_timing.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <exception>
#include <sstream>

#include "harness/bench/error.hpp"
#include "harness/bench/record.hpp"

namespace lockstep::bench {

namespace {

double lower_bound_of_median(std::vector<double> const& values) { return summarise_times(values).low; }
double upper_bound_of_median(std::vector<double> const& values) { return summarise_times(values).high; }
double median_deviation(std::vector<double> const& values) { return summarise_times(values).mad; }

// The library keeps global state (flags, the executable's name) that must be initialised once before the first use.
void initialize_once() {
    static bool const done = [] {
        static char name[] = "lockstep";
        char* arguments[] = {name, nullptr};
        int count = 1;
        benchmark::Initialize(&count, arguments);
        return true;
    }();
    static_cast<void>(done);
}

}  // namespace

Repetitions time_repetitions(std::string const& name, int const repetitions, Work const& work,
                             std::function<double()> const& sample) {
    if (repetitions < 2)
        throw Error("invalid repetitions=" + std::to_string(repetitions), "must be at least 2");
    initialize_once();
    Repetitions result;
    std::exception_ptr failure;
    auto const repetition = [&](benchmark::State& state) {
        for ([[maybe_unused]] auto const ignored : state) {
            if (failure) {
                state.SkipWithError("an earlier repetition failed");
                break;
            }
            try {
                double const seconds = sample();
                result.seconds.push_back(seconds);
                state.SetIterationTime(seconds);
            } catch (...) {
                failure = std::current_exception();
                state.SkipWithError("failed");
                break;
            }
        }
        if (work.items > 0)
            state.SetItemsProcessed(static_cast<std::int64_t>(work.items));
        if (work.bytes > 0)
            state.SetBytesProcessed(static_cast<std::int64_t>(work.bytes));
    };
    benchmark::ClearRegisteredBenchmarks();
    benchmark::RegisterBenchmark(name.c_str(), repetition)
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(repetitions)
        ->ReportAggregatesOnly(true)
        ->Unit(benchmark::kNanosecond)
        ->ComputeStatistics("median_low", lower_bound_of_median)
        ->ComputeStatistics("median_high", upper_bound_of_median)
        ->ComputeStatistics("mad", median_deviation);
    std::ostringstream document;
    std::ostringstream complaints;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&document);
    reporter.SetErrorStream(&complaints);
    // The filter "." overrides BENCHMARK_FILTER in the environment.
    benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, ".");
    benchmark::ClearRegisteredBenchmarks();
    if (failure)
        std::rethrow_exception(failure);
    result.document = document.str();
    return result;
}

std::string google_document(std::string const& name, std::vector<double> const& seconds, Work const& work) {
    std::size_t next = 0;
    return time_repetitions(name, static_cast<int>(seconds.size()), work, [&] { return seconds[next++]; }).document;
}

std::string timing_context() {
    initialize_once();
    std::ostringstream document;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&document);
    reporter.ReportContext(benchmark::BenchmarkReporter::Context());
    reporter.Finalize();
    return document.str();
}

}  // namespace lockstep::bench
