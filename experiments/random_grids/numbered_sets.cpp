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

}  // namespace

unsigned sets_per_stream(unsigned const sites) { return sites <= 64 ? 64 : 16; }

NumberedSets::NumberedSets(bench::Variant const& variant, bench::Axes const& axes, std::uint64_t const seed,
                           std::uint64_t const first_stream)
    : variant_(variant), axes_(axes), workload_(read_workload(axes)), seed_(seed), first_stream_(first_stream) {}

unsigned NumberedSets::words_per_plane() const { return simt::ceil_div(workload_.shape.sites(), 32u); }

std::vector<bench::UnitResult> NumberedSets::streams_of_this_rank(std::uint64_t const first,
                                                                  std::uint64_t const count) const {
    ranks::Part const part = ranks::part_of(first, count);
    std::vector<bench::UnitResult> results(part.units);
    auto const draw_part = [&](std::uint64_t const begin, std::uint64_t const end) {
        std::vector<bench::UnitResult> some = run_streams(variant_, {axes_, seed_, part.first + begin, end - begin});
        std::move(some.begin(), some.end(), results.begin() + static_cast<std::ptrdiff_t>(begin));
    };
    if (part.units == 0)
        return results;
    if (variant_.machine == bench::Machine::cpu)
        bench::parallel_chunks(part.units, 1,
                               [&](std::size_t, std::size_t begin, std::size_t end) { draw_part(begin, end); });
    else
        draw_part(0, part.units);
    return results;
}

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

std::vector<std::uint32_t> NumberedSets::draw(std::uint64_t const first, std::uint64_t const count) const {
    if (count == 0)
        return {};
    std::uint64_t const length = workload_.length;
    std::uint64_t const stream = first / length;
    std::uint64_t const streams = (first + count - 1) / length - stream + 1;
    std::vector<bench::UnitResult> drawn;
    ranks::together([&] { drawn = streams_of_this_rank(first_stream_ + stream, streams); });
    drawn = ranks::gathered(std::move(drawn));
    if (!ranks::is_root())
        return {};
    std::vector<std::uint32_t> sets(count * words_per_set());
    bench::parallel_chunks(count, 256, [&](std::size_t, std::size_t const begin, std::size_t const end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::uint64_t const number = first + i;
            pack(drawn[number / length - stream].data() + number % length * workload_.words_per_board(),
                 sets.data() + i * words_per_set());
        }
    });
    return sets;
}

}  // namespace lockstep::random_grids
