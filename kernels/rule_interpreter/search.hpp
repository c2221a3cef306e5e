#pragma once
// Counts the solutions of Sudoku puzzles on bit boards, on a GPU or in the emulator.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/rule_interpreter/search_cpu.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::rule_interpreter {

namespace emulator {
std::vector<cpu::Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit);
}
namespace cuda {
std::vector<cpu::Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit);
}

#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
namespace LOCKSTEP_MACHINE {

// Puzzles in device memory, and their solutions, up to `limit` each.
class Search {
public:
    Search(std::span<Puzzle const> puzzles, unsigned limit);
    ~Search();

    void reset();                   // forgets what was found
    void run(simt::Stream stream);  // launches until no grid is left
    std::vector<cpu::Solutions> solutions() const;
    simt::KernelAttributes kernel() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace LOCKSTEP_MACHINE
#endif

}  // namespace lockstep::rule_interpreter
