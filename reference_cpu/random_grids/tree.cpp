// Reference `tree`, and a variant of it.

#include "reference_cpu/random_grids/tree.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/packed_rows.hpp"
#include "common/random_grids/unrank_tables.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/random_grids/coloured_tree.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/stream.hpp"

namespace lockstep::random_grids {

namespace {

Tree const& tree_of(unsigned sites) {
    static std::mutex mutex;
    static std::map<unsigned, std::unique_ptr<Tree const>> made;
    std::lock_guard const lock(mutex);
    std::unique_ptr<Tree const>& tree = made[sites];
    if (!tree) {
        tree = std::make_unique<Tree const>(sites, 16, SplitForm{32, word_column_bits, split_tail_words},
                                            SplitForm{32, pair_column_bits, split_tail_words}, tree_table);
    }
    return *tree;
}

// An engine that counts its words.
template <class Engine>
struct WordCounter {
    Engine engine;
    std::uint64_t drawn = 0;

    static constexpr unsigned max() { return Engine::max(); }
    unsigned operator()() {
        ++drawn;
        return engine();
    }
    random::Words4 next4() {
        drawn += 4;
        return cpu::four_words(engine);
    }
};

ColouredTree const& coloured_tree_of(Workload const& workload) {
    static std::mutex mutex;
    static std::map<std::pair<unsigned, std::vector<unsigned>>, std::unique_ptr<ColouredTree const>> made;
    std::lock_guard const lock(mutex);
    std::unique_ptr<ColouredTree const>& tree = made[{workload.shape.sites(), workload.occupied}];
    if (!tree) {
        tree = std::make_unique<ColouredTree const>(workload.shape.sites(), workload.occupied, colour_part_sites,
                                                    SplitForm{32, word_column_bits, split_tail_words},
                                                    SplitForm{32, pair_column_bits, split_tail_words}, tree_table);
    }
    return *tree;
}

// Draws the boards of two colours of a stream.
template <class Engine>
void put_coloured(Workload const& workload, Engine& engine, UnitWriter& writer) {
    ColouredTree const& tree = coloured_tree_of(workload);
    for (unsigned board = 0; board < workload.length; ++board) {
        for (std::vector<bool> const& plane : tree.draw(engine)) {
            Words rows;
            cpu::RowCutter cutter(workload.shape.width);
            for (bool const site : plane)
                cutter.put(site ? 1 : 0, 1, [&](unsigned row) { rows.push_back(row); });
            writer.put(rows);
        }
    }
}

// Returns the result of one unit, and adds the number of words that it draws to `drawn`.
bench::UnitResult tree_unit(bench::Problem const& problem, std::uint64_t unit, std::uint64_t& drawn) {
    Workload const workload = read_workload(problem.axes);
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        WordCounter<Engine> engine{Engine::stream(problem.seed, unit, 0)};
        UnitWriter writer(workload, 1);
        if (workload.planes() > 1) {
            put_coloured(workload, engine, writer);
            drawn += engine.drawn;
            return writer.take();
        }
        unsigned const sites = workload.shape.sites();
        Tree const& tree = tree_of(sites);
        unsigned const base = cpu::mixed_base(problem.seed, unit);
        for (unsigned board = 0; board < workload.length; ++board) {
            unsigned const k = workload.mixed() ? cpu::mixed_occupied(base, board, sites) : workload.occupied[0];
            Words rows;
            cpu::RowCutter cutter(workload.shape.width);
            unsigned left = sites;
            for (std::uint32_t const word : tree.draw(k, engine)) {
                cutter.put(word, std::min(left, 32u), [&](unsigned row) { rows.push_back(row); });
                left -= std::min(left, 32u);
            }
            writer.put(rows);
        }
        drawn += engine.drawn;
        return writer.take();
    });
}

bench::Metrics count_tree_words(bench::Problem const& problem) {
    Workload const workload = read_workload(problem.axes);
    std::uint64_t drawn = 0;
    std::uint64_t const units = std::min<std::uint64_t>(problem.units, 16);
    for (std::uint64_t i = 0; i < units; ++i)
        tree_unit(problem, problem.first_unit + i, drawn);
    return {{"words_mean", static_cast<double>(drawn) / (static_cast<double>(units) * workload.length)}};
}

}  // namespace

namespace cpu {

void add_tree(bench::Experiment& experiment) {
    auto const uncounted = [](bench::Problem const& problem, std::uint64_t number) {
        std::uint64_t drawn = 0;
        return tree_unit(problem, number, drawn);
    };
    experiment.references.push_back({.name = "tree", .unit = uncounted, .first_unit_prepares = true});
    experiment.variants.push_back(bench::cpu::make_variant(
        "tree", bench::Role::reference, "tree",
        "splits k from the board down to sets of 64 sites, which it draws by their number, on one CPU thread",
        [uncounted](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            return std::make_unique<CpuCase>(problem, 1, Method::tree, uncounted, count_tree_words);
        },
        [](bench::Axes const& axes) { return why_not_tree(read_workload(axes)); }));
}

}  // namespace cpu

}  // namespace lockstep::random_grids
