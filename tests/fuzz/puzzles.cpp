// Files of Sudoku puzzles, as `interpret --file` reads them.

#include "common/rule_interpreter/sudoku.hpp"
#include "tests/fuzz/scratch_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void puzzles(std::string const& input) {
    using namespace rule_interpreter;
    std::filesystem::path const path = scratch_file("puzzles.txt", input);
    PuzzleFile const file = read_puzzles(path.string());
    require(file.puzzles.size() == file.lines.size(), "each puzzle has a line");
    require(file.errors.size() == std::min<std::size_t>(file.invalid_lines, 100), "the first errors are told");
    for (Puzzle const& puzzle : file.puzzles)
        require(parse_puzzle(to_line(puzzle)) == puzzle, "a printed puzzle is the puzzle");
    accepts([&] { parse_puzzle(input); });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(puzzles)
