// Variant `tree`: boards of more than 64 sites by a tree of counts and sets drawn by their number.

#include "kernels/random_grids/tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "common/random_grids/grid_case.hpp"
#include "common/random_grids/tree_tables.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

// Owns the tables in device memory.
struct TreeBuffers {
    Buffer<MaskBlock> masks;
    Buffer<PartSets> parts;
    std::vector<Buffer<unsigned>> words;
    std::vector<Buffer<unsigned long long>> entries;

    SplitSource upload_split(unsigned low, unsigned high, unsigned column_bits) {
        SplitTable const table = make_split_table(low, high, {32, column_bits, split_tail_words});
        words.push_back(upload_table(table.entries));
        unsigned const* const of_entries = words.back().data();
        words.push_back(upload_table(table.tails));
        return {of_entries, words.back().data()};
    }

    TreeSource upload_node(unsigned low, unsigned high) {
        TreeTable const& table = tree_table(low, high);
        if (low == 64 && high == 64 && table.column_bits != tree_group_column_bits)
            throw std::logic_error("the table of a group has another number of columns than its copy");
        entries.push_back(upload_table(std::vector<unsigned long long>(table.entries.begin(), table.entries.end())));
        words.push_back(upload_table(table.tails));
        return {entries.back().data(), words.back().data(), table.column_bits, low, high};
    }
};

using TreeKernel = void (*)(TreeParameters, unsigned*);

// Whether fewer threads per block draw the streams in as many rounds. More warps at a time are worth more than
// registers.
bool suits_fewer_threads(std::uint64_t const streams) {
    auto const rounds = [&](unsigned threads) { return simt::ceil_div(streams, multiprocessors() * threads); };
    return rounds(tree_fewer_threads) == rounds(tree_most_threads);
}

// Sets the kernel and its threads per block.
void pick_tree(GridLaunch<TreeParameters>& launch, Workload const& workload, std::uint64_t const streams) {
    bool const whole = workload.shape.width % 32 == 0;
    unsigned const sites = workload.shape.sites();
    launch.mapping.threads_per_block = tree_most_threads;
    launch.kernel = with_engine_and_output(workload, [&]<class Engine, bool stored>() -> TreeKernel {
        constexpr bool needs_registers = !std::is_same_v<typename KeyedEngine<Engine>::Type, Engine>;
        if constexpr (needs_registers && stored) {  // few, because each takes long to compile
            if (sites <= 2048 && suits_fewer_threads(streams)) {
                launch.mapping.threads_per_block = tree_fewer_threads;
                return whole ? tree_boards<Engine, stored, 4, 65, true, tree_fewer_threads>
                             : tree_boards<Engine, stored, 4, 65, false, tree_fewer_threads>;
            }
        }
        if (sites <= 2048)
            return whole ? tree_boards<Engine, stored, 4, 65, true> : tree_boards<Engine, stored, 4, 65, false>;
        return whole ? tree_boards<Engine, stored, tree_max_level, 513, true>
                     : tree_boards<Engine, stored, tree_max_level, 513, false>;
    });
}

GridLaunch<TreeParameters> prepare_tree(bench::Problem const& problem, Workload const& workload) {
    auto const buffers = std::make_shared<TreeBuffers>();
    GridLaunch<TreeParameters> launch;
    launch.tables = buffers;
    launch.mapping = {1, 1, tree_most_threads, sizeof(TreeTile), Method::tree, true};
    launch.mapping.one_block_per_multiprocessor = true;
    pick_tree(launch, workload, problem.units);
    TreeParameters& p = launch.parameters;
    TreeShape const shape{workload.shape.sites()};
    p.grid = grid_parameters(problem, workload);
    p.keys = philox_keys(p.grid.seed);
    p.sites = shape.sites;
    p.top = shape.top();
    unsigned const end = shape.sites % tree_set_sites;
    std::vector<PartSets> parts = make_part_sets(16, 16);
    for (unsigned part = 0; part < 4; ++part) {
        for (PartSets const& sets : make_part_sets(std::min(16u, end - std::min(end, 16 * part)), 16))
            parts.push_back(sets);
    }
    buffers->masks = upload_table(make_mask_blocks());
    buffers->parts = upload_table(parts);
    p.masks = buffers->masks.data();
    p.parts = buffers->parts.data();
    p.pair = buffers->upload_split(32, 32, pair_column_bits);
    p.word = buffers->upload_split(16, 16, word_column_bits);
    if (end != 0) {
        unsigned const low = std::min(end, 32u);
        unsigned const high = end - low;
        p.end_pair = buffers->upload_split(low, high, pair_column_bits);
        p.end_words[0] = buffers->upload_split(std::min(low, 16u), low - std::min(low, 16u), word_column_bits);
        p.end_words[1] = buffers->upload_split(std::min(high, 16u), high - std::min(high, 16u), word_column_bits);
    }
    for (unsigned level = 0; level <= p.top; ++level) {
        unsigned const low = shape.low_sites(level);
        if (shape.sites >= 2 * low)
            p.nodes[level] = buffers->upload_node(low, low);
        if (shape.end_sites(level) > low)
            p.ends[level] = buffers->upload_node(low, shape.end_sites(level) - low);
    }
    return launch;
}

}  // namespace

void add_tree(bench::Experiment& experiment) {
    experiment.variants.push_back(launched_variant(
        "tree", bench::Role::ours, "tree",
        "splits k from the board down to sets of 64 sites, which it draws by their number: any k costs "
        "the same",
        prepare_tree, why_not_tree));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
