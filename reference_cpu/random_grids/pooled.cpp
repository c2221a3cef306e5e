// Reference `pooled`, and a variant of it that counts words.

#include "reference_cpu/random_grids/pooled.hpp"

#include <array>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/mixed_occupied.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/stream.hpp"

namespace lockstep::random_grids {

namespace {

// Sites in order, without padding: site s is bit s % 32 of word s / 32.
Words packed_sites(PooledForm const& form) {
    Words words(form.words, 0);
    for (unsigned site = 0; site < form.sites; ++site)
        words[site / 32] |= 1u << site % 32;
    return words;
}

// The same set in rows of whole words.
Words in_rows(Shape const& shape, Words const& packed) {
    Words rows(shape.words(), 0);
    for (unsigned site = 0; site < shape.sites(); ++site) {
        unsigned const column = site % shape.width;
        if ((packed[site / 32] >> site % 32 & 1u) != 0)
            rows[site / shape.width * shape.words_per_row() + column / 32] |= 1u << column % 32;
    }
    return rows;
}

struct Group {
    std::vector<bench::UnitResult> results;
    std::uint64_t words = 0;
};

// The results of units first to first + 31.
Group draw_group(bench::Problem const& problem, std::uint64_t const first) {
    Workload const workload = read_workload(problem.axes);
    PooledForm const form = *pooled_form(workload);
    std::vector<PooledPlan> const plans = pooled_plans(workload, form);
    unsigned const sites = form.sites;
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        std::vector<Engine> engines;
        std::vector<unsigned> bases;
        std::vector<UnitWriter> writers;
        for (unsigned lane = 0; lane < form.lanes; ++lane) {
            engines.push_back(Engine::stream(problem.seed, first + lane, 0));
            bases.push_back(cpu::mixed_base(problem.seed, first + lane));
            writers.emplace_back(workload, 1);
        }
        Group group;
        auto const next_word = [&](unsigned lane) {
            ++group.words;
            return engines[lane]();
        };
        for (unsigned board = 0; board < workload.length; ++board) {
            std::vector<Words> sets(form.lanes, packed_sites(form));
            for (unsigned plane = 0; plane < workload.planes(); ++plane) {
                std::vector<PooledJob> jobs;
                for (unsigned lane = 0; lane < form.lanes; ++lane) {
                    unsigned const k =
                        workload.mixed() ? cpu::mixed_occupied(bases[lane], board, sites) : workload.occupied[plane];
                    unsigned const number = workload.mixed() ? std::min(k, sites - k) : 0;
                    jobs.push_back({sets[lane], k, plans[plane].numerators[number]});
                }
                sets = draw_pooled(form, plans[plane].digits, jobs, next_word);
                for (unsigned lane = 0; lane < form.lanes; ++lane)
                    writers[lane].put(in_rows(workload.shape, sets[lane]));
            }
        }
        for (UnitWriter& writer : writers)
            group.results.push_back(writer.take());
        return group;
    });
}

// Units are asked for one by one, mostly in order, and drawn by groups. So each thread keeps its last group.
bench::UnitResult pooled_unit(bench::Problem const& problem, std::uint64_t const unit) {
    struct Last {
        bench::Axes axes;
        std::uint64_t seed = 0;
        std::uint64_t first = 1;  // of no group
        Group group;
    };
    thread_local Last last;
    std::uint64_t const first = unit - unit % pooled_lanes;
    if (last.first != first || last.seed != problem.seed || !(last.axes == problem.axes))
        last = {problem.axes, problem.seed, first, draw_group(problem, first)};
    return last.group.results[unit - first];
}

bench::Metrics count_pooled_words(bench::Problem const& problem) {
    if (problem.units == 0)
        return {{"words_mean", 0}};
    Workload const workload = read_workload(problem.axes);
    Group const group = draw_group(problem, problem.first_unit - problem.first_unit % pooled_lanes);
    double const sets = static_cast<double>(pooled_lanes) * workload.length * workload.planes();
    return {{"words_mean", static_cast<double>(group.words) / sets}};
}

}  // namespace

namespace cpu {

void add_pooled(bench::Experiment& experiment) {
    experiment.references.push_back({.name = "pooled", .unit = pooled_unit, .units_per_group = pooled_lanes});
    experiment.variants.push_back(bench::cpu::make_variant(
        "pooled", bench::Role::reference, "pooled",
        "a dense pass over 32 boards and one exact repair of all, on one CPU thread",
        [](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            return std::make_unique<CpuCase>(problem, 1, Method::pooled, pooled_unit, count_pooled_words);
        },
        [](bench::Axes const& axes) -> std::string { return why_not_pooled(read_workload(axes)); }));
}

}  // namespace cpu

}  // namespace lockstep::random_grids
