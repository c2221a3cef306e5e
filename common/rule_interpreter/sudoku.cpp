#include "common/rule_interpreter/sudoku.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/random/bounded.hpp"
#include "harness/random/philox.hpp"

namespace lockstep::rule_interpreter {

namespace {

using Engine = random::cpu::Philox4x32<10>;

template <std::size_t n>
std::array<unsigned, n> shuffled(Engine& engine) {
    std::array<unsigned, n> order{};
    std::iota(order.begin(), order.end(), 0u);
    for (unsigned i = n; i > 1; --i)
        std::swap(order[i - 1], order[random::cpu::bounded(engine, i)]);
    return order;
}

// Random order of nine lines that keeps bands of three together.
std::array<unsigned, 9> shuffled_lines(Engine& engine) {
    std::array<unsigned, 9> lines{};
    std::array<unsigned, 3> const bands = shuffled<3>(engine);
    for (unsigned band = 0; band < 3; ++band) {
        std::array<unsigned, 3> const inside = shuffled<3>(engine);
        for (unsigned line = 0; line < 3; ++line)
            lines[band * 3 + line] = bands[band] * 3 + inside[line];
    }
    return lines;
}

}  // namespace

Puzzle generated_puzzle(std::uint64_t seed, std::uint64_t number, unsigned clues) {
    Engine engine = Engine::stream(seed, number, 0);
    std::array<unsigned, 9> const digits = shuffled<9>(engine);
    std::array<unsigned, 9> const rows = shuffled_lines(engine);
    std::array<unsigned, 9> const columns = shuffled_lines(engine);
    std::array<unsigned, cells> const shown = shuffled<cells>(engine);
    Puzzle puzzle{};
    for (unsigned i = 0; i < std::min(clues, cells); ++i) {
        unsigned const row = rows[row_of(shown[i])];
        unsigned const column = columns[column_of(shown[i])];
        // The cyclic grid: each row is the previous one shifted by three, and each band is shifted by one more.
        unsigned const digit = (row % 3 * 3 + row / 3 + column) % 9;
        puzzle[shown[i]] = static_cast<std::uint8_t>(digits[digit] + 1);
    }
    return puzzle;
}

namespace {

bool is_cell(char character) { return character == '.' || (character >= '0' && character <= '9'); }

bool is_puzzle(std::string_view line) { return line.size() == cells && std::all_of(line.begin(), line.end(), is_cell); }

}  // namespace

Puzzle parse_puzzle(std::string_view line) {
    if (line.size() != cells) {
        throw bench::Error("not a puzzle", std::to_string(line.size()) + " characters instead of 81");
    }
    Puzzle puzzle{};
    for (unsigned i = 0; i < cells; ++i) {
        char const character = line[i];
        if (!is_cell(character)) {
            throw bench::Error("not a puzzle", "character " + std::to_string(i + 1) + " is '" + character +
                                                   "' instead of a digit or a point");
        }
        puzzle[i] = character == '.' ? std::uint8_t{0} : static_cast<std::uint8_t>(character - '0');
    }
    return puzzle;
}

PuzzleFile read_puzzles(std::string const& path) {
    std::istringstream text(bench::read_input(path, bench::Input::puzzles));
    std::string const name = path == bench::standard_input ? "standard input" : path;
    PuzzleFile file;
    std::size_t number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (line.empty() || line.front() == '#')
            continue;
        // A file of another format may have millions of invalid lines: they are counted without an exception.
        constexpr std::size_t max_errors = 100;
        if (!is_puzzle(line) && ++file.invalid_lines > max_errors)
            continue;
        try {
            file.puzzles.push_back(parse_puzzle(line));
            file.lines.push_back(number);
        } catch (bench::Error const& error) {
            file.errors.push_back("line " + std::to_string(number) + " of " + name + ": " + error.what());
        }
    }
    return file;
}

std::string to_line(Puzzle const& puzzle) {
    std::string line(cells, '.');
    for (unsigned i = 0; i < cells; ++i) {
        if (puzzle[i] != 0)
            line[i] = static_cast<char>('0' + puzzle[i]);
    }
    return line;
}

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::solved:
            return "solved";
        case Outcome::contradiction:
            return "contradiction";
        case Outcome::bound:
            return "bound";
        default:
            return "unfinished";
    }
}

Outcome outcome_of(std::array<std::uint32_t, cells> const& words) {
    bool all_placed = true;
    for (unsigned unit = 0; unit < cell_groups; ++unit) {
        unsigned seen = 0;
        for (unsigned position = 0; position < 9; ++position) {
            std::uint32_t const word = words[cell_of(unit, position)];
            unsigned const digit = word >> 16;
            if ((word & all_digits) == 0 || (digit != 0 && (seen >> digit & 1) != 0))
                return Outcome::contradiction;
            all_placed &= digit != 0;
            seen |= 1u << digit;
        }
    }
    return all_placed ? Outcome::solved : Outcome::unfinished;
}

Outcome outcome_after(std::array<std::uint32_t, cells> const& words, bool settled) {
    Outcome const outcome = outcome_of(words);
    return outcome == Outcome::unfinished && !settled ? Outcome::bound : outcome;
}

}  // namespace lockstep::rule_interpreter
