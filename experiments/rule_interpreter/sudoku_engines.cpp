#include "experiments/rule_interpreter/sudoku_engines.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "harness/cli/variant_choice.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/rule_interpreter/search.hpp"

namespace lockstep::rule_interpreter {

namespace {

std::vector<cpu::Solutions> search_on_gpu(std::span<Puzzle const> puzzles, std::uint64_t limit) {
#if defined(LOCKSTEP_SEARCH_ON_CUDA)
    return cuda::count_all_solutions(puzzles, limit);
#else
    return cpu::count_all_solutions(puzzles, limit);  // not reached: a build without CUDA has no GPU
#endif
}

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void append(std::vector<cpu::Solutions>& all, std::vector<cpu::Solutions> some) {
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

}  // namespace

Searched search_together(std::span<Puzzle const> puzzles, std::uint64_t limit, SearchEngines const& engines) {
    Searched searched = {{}, "cpu"};
    std::vector<cpu::Solutions>& done = searched.solutions;
    done.reserve(puzzles.size());
    double const start = engines.seconds();
    while (done.size() < puzzles.size()) {
        std::span<Puzzle const> const rest = puzzles.subspan(done.size());
        double const per_puzzle = done.empty() ? 0 : (engines.seconds() - start) / static_cast<double>(done.size());
        if (per_puzzle * static_cast<double>(rest.size()) > gpu_start_seconds && engines.has_gpu()) {
            append(done, engines.on_gpu(rest, limit));
            searched.machine = "cpu and cuda";
            break;
        }
        append(done, engines.on_cpu(rest.first(std::min(rest.size(), puzzles_per_look)), limit));
    }
    return searched;
}

Searched search_on(std::string const& machine, std::span<Puzzle const> puzzles, std::uint64_t limit) {
    if (machine == "auto") {
        auto const has_gpu = [] { return !simt::cuda_devices().devices.empty(); };
        return search_together(puzzles, limit, {cpu::count_all_solutions, search_on_gpu, has_gpu, steady_seconds});
    }
    switch (cli::machines_to_try(machine, {}).front()) {
        case bench::Machine::cuda:
            return {search_on_gpu(puzzles, limit), machine};
        case bench::Machine::cpu:
            return {cpu::count_all_solutions(puzzles, limit), machine};
        default:
            return {emulator::count_all_solutions(puzzles, limit), machine};
    }
}

}  // namespace lockstep::rule_interpreter
