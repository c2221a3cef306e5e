// Runs one case of cases.hpp, and exits with 1 if something was said about it, or times it (compare.sh).
//
//   one_case list          the names of all cases and their mistakes, one a line
//   one_case NAME [ORDER]  0: ascending, 1: descending, 2: random
//   one_case time          nanoseconds of the kernels of tests/harness/simt/speed; with COUNTERS=1 they are counted

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness/simt/emulator/options.hpp"
#include "harness/simt/error.hpp"
#include "tests/harness/simt/hooks/cases.hpp"
#include "tests/harness/simt/speed/speed.hpp"
#if defined(LOCKSTEP_SIMT_HOOKS)
#include "harness/simt/hooks/checks.hpp"
#endif

namespace lockstep::hook_tests {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

std::vector<emulator::Case> all_cases() {
    std::vector<emulator::Case> all;
    for (auto const cases : {emulator::memory_mistakes(), emulator::races(), emulator::right_kernels()}) {
        all.insert(all.end(), cases.begin(), cases.end());
    }
    return all;
}

int run(emulator::Case const& one, LaneOrder order) {
    ScopedOptions const scope(Options{order, 1, 1, 5});
#if defined(LOCKSTEP_SIMT_HOOKS)
    simt::hooks::Checks const checks;
#endif
    int said = 0;
    try {
        one.launch();
    } catch (simt::Error const& error) {
        std::printf("%s\n", error.what());
        said = 1;
    }
#if defined(LOCKSTEP_SIMT_HOOKS)
    for (auto const& report : checks.reports()) {
        std::printf("%s\n", report.text().c_str());
        said = 1;
    }
#endif
    return said;
}

// Nanoseconds per lane and round: the best of 3 launches of 64 blocks of 256 lanes.
void time_all() {
    ScopedOptions const scope(Options{LaneOrder::ascending, 1, 1, 60});
#if defined(LOCKSTEP_SIMT_HOOKS)
    simt::hooks::Settings settings;
    settings.counters = std::getenv("COUNTERS") != nullptr;
    simt::hooks::Checks const checks(settings);
#endif
    constexpr unsigned blocks = 64;
    constexpr unsigned block_size = 256;
    struct Timed {
        char const* name;
        speed::emulator::LaunchRounds launch;
        unsigned rounds;
    };
    for (Timed const& timed : {Timed{"straight", speed::emulator::straight, 1},
                               {"barriers", speed::emulator::barriers, 10},
                               {"syncwarps", speed::emulator::syncwarps, 10},
                               {"shuffles", speed::emulator::shuffles, 10},
                               {"atomics", speed::emulator::atomics, 10},
                               {"reduction", speed::emulator::reduction, 2}}) {
        double best = 1e9;
        for (int i = 0; i < 3; ++i) {
            auto const start = std::chrono::steady_clock::now();
            timed.launch(blocks, block_size, timed.rounds);
            best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        std::printf("%s %.0f\n", timed.name, best / (blocks * block_size * timed.rounds) * 1e9);
    }
}

}  // namespace
}  // namespace lockstep::hook_tests

int main(int count, char** arguments) {
    using namespace lockstep::hook_tests;
    std::string const name = count > 1 ? arguments[1] : "list";
    if (name == "time") {
        time_all();
        return 0;
    }
    for (auto const& one : all_cases()) {
        if (name == "list") {
            std::printf("%s|%s\n", one.name, one.mistake != nullptr ? one.mistake : "right");
        } else if (name == one.name) {
            return run(one, static_cast<LaneOrder>(count > 2 ? std::atoi(arguments[2]) : 0));
        }
    }
    return name == "list" ? 0 : 2;
}
