// Reference `unranked`, and a variant of it.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/unranked_words.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/stream.hpp"
#include "reference_cpu/random_grids/unranking.hpp"

namespace lockstep::random_grids {

namespace {

Unranking const& unranking_of(unsigned sites) {
    static std::array<std::once_flag, 65> once;
    static std::array<std::unique_ptr<Unranking const>, 65> made;
    std::call_once(once[sites], [&] {
        made[sites] = std::make_unique<Unranking const>(sites, 16, SplitForm{32, word_column_bits, split_tail_words},
                                                        SplitForm{32, pair_column_bits, split_tail_words});
    });
    return *made[sites];
}

// The words of the rows of a board whose sites are the bits of `set`, row by row.
Words rows_of(Shape const& shape, std::uint64_t set) {
    Words words;
    for (unsigned row = 0; row < shape.height; ++row) {
        for (unsigned column = 0; column < shape.words_per_row(); ++column) {
            std::uint64_t const from = set >> (row * shape.width + column * 32);
            words.push_back(static_cast<std::uint32_t>(from) & shape.mask(column));
        }
    }
    return words;
}

// Returns the result of one unit, and adds the number of words that it draws to `drawn`.
bench::UnitResult unranked_unit(bench::Problem const& problem, std::uint64_t unit, std::uint64_t& drawn) {
    Workload const workload = read_workload(problem.axes);
    unsigned const sites = workload.shape.sites();
    Unranking const& unranking = unranking_of(sites);
    unsigned const base = cpu::mixed_base(problem.seed, unit);
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        Engine engine = Engine::stream(problem.seed, unit, 0);
        UnitWriter writer(workload, 1);
        for (unsigned board = 0; board < workload.length; board += unranking.sets_per_group()) {
            std::vector<unsigned> occupied(unranking.sets_per_group(), 0);
            for (unsigned i = 0; i < occupied.size() && board + i < workload.length; ++i)
                occupied[i] = workload.mixed() ? cpu::mixed_occupied(base, board + i, sites) : workload.occupied[0];
            std::vector<std::uint64_t> const sets = unranking.draw(occupied, [&] {
                ++drawn;
                return engine();
            });
            for (unsigned i = 0; i < sets.size() && board + i < workload.length; ++i)
                writer.put(rows_of(workload.shape, sets[i]));
        }
        return writer.take();
    });
}

bench::UnitResult uncounted_unit(bench::Problem const& problem, std::uint64_t unit) {
    std::uint64_t drawn = 0;
    return unranked_unit(problem, unit, drawn);
}

bench::Metrics count_unranked_words(bench::Problem const& problem) {
    Workload const workload = read_workload(problem.axes);
    std::uint64_t drawn = 0;
    std::uint64_t const units = std::min<std::uint64_t>(problem.units, 64);
    for (std::uint64_t i = 0; i < units; ++i)
        unranked_unit(problem, problem.first_unit + i, drawn);
    return {{"words_mean", static_cast<double>(drawn) / (static_cast<double>(units) * workload.length)}};
}

}  // namespace

namespace cpu {

void add_unranked(bench::Experiment& experiment) {
    experiment.references.push_back({.name = "unranked", .unit = uncounted_unit, .first_unit_prepares = true});
    experiment.variants.push_back(bench::cpu::make_variant(
        "unranked", bench::Role::reference, "unranked",
        "draws sets of up to 64 sites by their number, on one CPU thread",
        [](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            return std::make_unique<CpuCase>(problem, 1, Method::unranked, uncounted_unit, count_unranked_words);
        },
        [](bench::Axes const& axes) { return why_not_unranked(read_workload(axes)); }));
}

}  // namespace cpu

}  // namespace lockstep::random_grids
