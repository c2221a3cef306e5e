#include "common/random_grids/draw.hpp"

#include <algorithm>

#include "experiments/random_grids/board_source.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::random_grids {

namespace {

bench::Experiment const& shared_experiment() {
    static bench::Experiment const made = make_experiment();
    return made;
}

BoardSource source_of(Draw const& draw, std::uint64_t const count) {
    Shape const shape = parse_shape(std::to_string(draw.sites) + "x1");
    BoardRequest request{BoardMask(shape), false, {{"occupied", draw.occupied}, {"engine", draw.engine}}, {}};
    request.seed = draw.seed;
    request.machine = draw.machine;
    request.count = count;
    return BoardSource(shared_experiment(), request);
}

}  // namespace

std::size_t words_per_set(Draw const& draw) {
    Shape const shape = parse_shape(std::to_string(draw.sites) + "x1");
    return std::max<std::size_t>(1, parse_occupied(draw.occupied, shape).size()) * shape.words();
}

void draw(Draw const& draw, std::uint64_t const first, std::span<std::uint32_t> const sets) {
    std::size_t const words = words_per_set(draw);
    std::uint64_t const count = sets.size() / words;
    if (sets.size() % words != 0) {
        throw bench::Error("a buffer of " + std::to_string(sets.size()) + " words does not hold whole sets",
                           "a set has " + std::to_string(words) + " words");
    }
    if (count > max_set_number || first > max_set_number - count)
        throw bench::Error("too many sets", "sets are numbered from 0 to 2^48 - 1");
    BoardSource source = source_of(draw, count);
    std::uint64_t const at_a_time = source.boards_at_a_time();
    for (std::uint64_t done = 0; done < count; done += at_a_time) {
        PackedBoards const drawn = source.draw(first + done, std::min(at_a_time, count - done));
        std::copy(drawn.words.begin(), drawn.words.end(), sets.begin() + static_cast<std::ptrdiff_t>(done * words));
    }
}

}  // namespace lockstep::random_grids
