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

namespace {

// The number of sets in a buffer, which are numbered from `first`.
std::uint64_t count_in(std::span<std::uint32_t const> const sets, std::size_t const words, std::uint64_t const first) {
    if (sets.size() % words != 0) {
        throw bench::Error("a buffer of " + std::to_string(sets.size()) + " words does not hold whole sets",
                           "a set has " + std::to_string(words) + " words");
    }
    std::uint64_t const count = sets.size() / words;
    if (count > max_set_number || first > max_set_number - count)
        throw bench::Error("too many sets", "sets are numbered from 0 to 2^48 - 1");
    return count;
}

// The request of draw() on a GPU, whatever the amount of work.
Draw for_device(Draw draw) {
    if (draw.machine == "auto")
        draw.machine = "cuda";
    if (draw.machine == "cpu")
        throw bench::Error("machine cpu has no device memory", "", "Use draw().");
    return draw;
}

}  // namespace

bool draw(Draw const& draw, std::uint64_t const first, std::span<std::uint32_t> const sets,
          std::stop_token const& stop) {
    std::size_t const words = words_per_set(draw);
    std::uint64_t const count = count_in(sets, words, first);
    BoardSource source = source_of(draw, count);
    std::uint64_t const at_a_time = source.boards_at_a_time();
    for (std::uint64_t done = 0; done < count; done += at_a_time) {
        if (stop.stop_requested())
            return false;
        std::uint64_t const some = std::min(at_a_time, count - done);
        source.draw(first + done, some, sets.subspan(done * words, some * words));
    }
    return true;
}

struct DeviceDraw::State {
    std::size_t words;
    BoardSource source;
};

DeviceDraw::DeviceDraw(Draw const& draw) : state_(new State{words_per_set(draw), source_of(for_device(draw), 1)}) {}
DeviceDraw::~DeviceDraw() = default;
DeviceDraw::DeviceDraw(DeviceDraw&&) noexcept = default;
DeviceDraw& DeviceDraw::operator=(DeviceDraw&&) noexcept = default;

void DeviceDraw::draw(std::uint64_t const first, std::span<std::uint32_t> const sets, void* const stream) {
    std::uint64_t const count = count_in(sets, state_->words, first);
    state_->source.on_device()->draw(first, count, sets.data(), {stream});
}

void DeviceDraw::wait_for(void* const stream) const { state_->source.on_device()->wait_for({stream}); }

std::shared_ptr<void> DeviceDraw::memory(std::size_t const bytes) const {
    return state_->source.on_device()->device_memory(bytes);
}

}  // namespace lockstep::random_grids
