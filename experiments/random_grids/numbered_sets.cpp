#include "experiments/random_grids/numbered_sets.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "experiments/random_grids/packed_bits.hpp"
#include "harness/bench/parallel_chunks.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::random_grids {

namespace {

std::vector<bench::UnitResult> run_streams(bench::Variant const& variant, bench::Problem const& problem) {
    std::unique_ptr<bench::Case> const drawing = variant.make(problem);
    drawing->reset();
    drawing->run({});
    std::vector<std::uint64_t> streams(problem.units);
    std::iota(streams.begin(), streams.end(), problem.first_unit);
    return drawing->results(streams);
}

std::unique_ptr<DeviceSets> device_sets(DeviceSetsRequest const& request, Shape const& shape) {
    bool const padded = shape.height > 1 && shape.width % 32 != 0;
    if (padded || request.variant.machine == bench::Machine::cpu)
        return nullptr;
#if defined(LOCKSTEP_DRAWS_ON_CUDA)
    if (request.variant.machine == bench::Machine::cuda)
        return cuda::make_device_sets(request);
#endif
    return emulator::make_device_sets(request);
}

}  // namespace

unsigned sets_per_stream(unsigned const sites) { return sites <= 64 ? 64 : 16; }

NumberedSets::NumberedSets(bench::Variant const& variant, bench::Axes const& axes, std::uint64_t const seed,
                           std::uint64_t const first_stream)
    : variant_(variant),
      axes_(axes),
      workload_(read_workload(axes)),
      seed_(seed),
      first_stream_(first_stream),
      device_(device_sets({variant, axes_, seed, first_stream}, workload_.shape)) {}

unsigned NumberedSets::words_per_plane() const { return simt::ceil_div(workload_.shape.sites(), 32u); }

// Rows lose their padding.
void NumberedSets::pack(std::uint32_t const* const set, std::uint32_t* const to) const {
    Shape const& shape = workload_.shape;
    for (unsigned plane = 0; plane < workload_.planes(); ++plane) {
        BitWriter bits(to + std::size_t{plane} * words_per_plane());
        std::uint32_t const* const words = set + std::size_t{plane} * shape.words();
        for (unsigned row = 0; row < shape.height; ++row) {
            for (unsigned column = 0; column < shape.width; column += 32)
                bits.put(words[row * shape.words_per_row() + column / 32], std::min(32u, shape.width - column));
        }
        bits.finish();
    }
}

// Draws whole streams and packs their sets.
void NumberedSets::draw_streams(std::uint64_t const first, std::uint64_t const count, std::uint32_t* const to) const {
    std::uint64_t const length = workload_.length;
    std::uint64_t const stream = first / length;
    std::uint64_t const streams = (first + count - 1) / length - stream + 1;
    // Numbers of streams, without first_stream_.
    auto const draw_some = [&](std::uint64_t const begin, std::uint64_t const end) {
        std::vector<bench::UnitResult> const drawn =
            run_streams(variant_, {axes_, seed_, first_stream_ + begin, end - begin});
        std::uint64_t const last = std::min(first + count, end * length);
        for (std::uint64_t number = std::max(first, begin * length); number < last; ++number) {
            pack(drawn[number / length - begin].data() + number % length * workload_.words_per_board(),
                 to + (number - first) * words_per_set());
        }
    };
    if (variant_.machine != bench::Machine::cpu)
        return draw_some(stream, stream + streams);
    // A variant may draw 32 streams together, so a core takes whole groups if there are enough for all.
    std::uint64_t const group = streams >= 32 * bench::chunk_count(streams, 1) ? 32 : 1;
    std::uint64_t const first_group = stream / group;
    bench::parallel_chunks((stream + streams - 1) / group - first_group + 1, 1,
                           [&](std::size_t, std::size_t const begin, std::size_t const end) {
                               draw_some(std::max(stream, (first_group + begin) * group),
                                         std::min(stream + streams, (first_group + end) * group));
                           });
}

void NumberedSets::draw_here(std::uint64_t const first, std::uint64_t const count, std::uint32_t* const to) const {
    if (count == 0)
        return;
    if (device_)
        device_->draw_to_host(first, count, to);
    else
        draw_streams(first, count, to);
}

void NumberedSets::draw(std::uint64_t const first, std::uint64_t const count, std::span<std::uint32_t> const to) const {
    if (ranks::count() == 1)
        return draw_here(first, count, to.data());
    bench::UnitResult mine;
    ranks::together([&] {
        ranks::Part const part = ranks::part_of(first, count);
        mine.resize(part.units * words_per_set());
        draw_here(part.first, part.units, mine.data());
    });
    std::uint32_t* next = to.data();
    for (bench::UnitResult const& some : ranks::gathered({std::move(mine)}))
        next = std::copy(some.begin(), some.end(), next);
}

}  // namespace lockstep::random_grids
