#include "experiments/replications/run_job.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include "common/replications/schemes.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/devices.hpp"
#include "reference_cpu/replications/cpu_case.hpp"

namespace lockstep::replications {

namespace {

constexpr double seconds_per_item = 5e-9;  // lower bound for a CPU core
constexpr double seconds_of_start = 0.25;  // until the first kernel runs on a GPU

bool has_gpu() { return !simt::cuda_devices().devices.empty(); }

// The kernels of one machine.
struct Kernels {
    decltype(&emulator::make_threads) threads;
    decltype(&emulator::make_lanes) lanes;
    decltype(&emulator::make_cooperative) cooperative;
};

Kernels kernels_of(bench::Machine machine) {
#if defined(LOCKSTEP_WITH_CUDA)
    if (machine == bench::Machine::cuda)
        return {cuda::make_threads, cuda::make_lanes, cuda::make_cooperative};
#else
    static_cast<void>(machine);
#endif
    return {emulator::make_threads, emulator::make_lanes, emulator::make_cooperative};
}

}  // namespace

Scheme parse_scheme(std::string const& text) {
    std::size_t const colon = text.find(':');
    Scheme scheme{text.substr(0, colon), 0};
    bench::require_known("scheme", scheme.name, {"sequential", "threads", "warps", "lanes", "cooperative", "auto"});
    bool const takes_lanes = scheme.name == "lanes" || scheme.name == "cooperative";
    if (colon == std::string::npos) {
        if (scheme.name == "lanes") {
            throw bench::Error("scheme lanes is incomplete", "the number of active lanes is missing", "Try lanes:8.");
        }
        return scheme;
    }
    if (!takes_lanes) {
        throw bench::Error("scheme " + text + " does not parse", scheme.name + " takes no number",
                           "Try " + scheme.name + ".");
    }
    char const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data() + colon + 1, end, scheme.lanes);
    unsigned const max_lanes = scheme.name == "lanes" ? 32 : 1u << 20;
    if (error != std::errc() || stop != end || scheme.lanes == 0 || scheme.lanes > max_lanes ||
        (scheme.lanes & (scheme.lanes - 1)) != 0) {
        throw bench::Error("scheme " + text + " does not parse",
                           "the number of lanes is a power of two up to " + std::to_string(max_lanes),
                           "Try " + scheme.name + ":8.");
    }
    return scheme;
}

bench::Machine choose_machine(std::string const& wanted, Scheme const& scheme, double items) {
    bench::require_known("machine", wanted, {"auto", "cpu", "emulator", "cuda"});
    if (wanted != "auto") {
        bench::Machine const machine = simt::machine_from_string(wanted);
        if (machine == bench::Machine::cuda && !has_gpu()) {
            throw bench::Error("cannot use machine cuda", simt::cuda_devices().reason, "Try --machine emulator.");
        }
        return machine;
    }
    if (scheme.name == "sequential")
        return bench::Machine::cpu;
    if (scheme.name != "auto")
        return has_gpu() ? bench::Machine::cuda : bench::Machine::emulator;
    double const cores = std::max(1u, std::thread::hardware_concurrency());
    double const on_cpu = items * seconds_per_item / cores;
    return on_cpu > seconds_of_start && has_gpu() ? bench::Machine::cuda : bench::Machine::cpu;
}

void check_scheme(Scheme const& scheme, bench::Machine machine) {
    if (machine == bench::Machine::cpu && scheme.name != "sequential" && scheme.name != "auto") {
        throw bench::Error("scheme " + scheme.name + " does not exist on machine cpu", "it maps replications to a GPU",
                           "Use --scheme sequential or auto, or --machine emulator.");
    }
    if (machine != bench::Machine::cpu && scheme.name == "sequential") {
        throw bench::Error("scheme sequential does not exist on machine " + std::string(simt::to_string(machine)),
                           "it runs on the CPU", "Use --machine cpu.");
    }
}

std::unique_ptr<bench::Case> make_case(Scheme const& scheme, bench::Machine machine, Job const& job, unsigned block) {
    check_scheme(scheme, machine);
    if (machine == bench::Machine::cpu)
        return make_cpu_case(job, scheme.name == "sequential" ? 1 : 0);
    Kernels const kernels = kernels_of(machine);
    if (scheme.name == "threads")
        return kernels.threads(job, block == 0 ? 32 : block, {0, 1, 1});
    if (scheme.name == "warps")
        return kernels.lanes(job, 1, block == 0 ? 128 : block, {0, 1, 1});
    if (scheme.name == "lanes")
        return kernels.lanes(job, scheme.lanes, block == 0 ? 128 : block, {0, 1, 1});
    return kernels.cooperative(job, {scheme.lanes, block});
}

}  // namespace lockstep::replications
