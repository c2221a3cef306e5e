// Variant `tree`: boards of more than 64 sites, and boards of two colours on at most 240 sites, by a tree of counts and
// sets drawn by their number.

#include "kernels/random_grids/tree.hpp"

#include <memory>
#include <type_traits>
#include <utility>

#include "common/random_grids/grid_case.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/shared_words.hpp"
#include "kernels/random_grids/coloured_tree.hpp"
#include "kernels/random_grids/table_variants.hpp"
#include "kernels/random_grids/tree_buffers.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

using TreeKernel = void (*)(TreeParameters, unsigned*);

// Whether fewer threads per block draw the streams in as many rounds. More warps at a time are worth more than
// registers.
bool suits_fewer_threads(std::uint64_t const streams) {
    auto const rounds = [&](unsigned threads) { return simt::ceil_div(streams, multiprocessors() * threads); };
    return rounds(tree_fewer_threads) == rounds(tree_max_threads);
}

// What the launches of both kernels share. `Tile` is the kernel's shared memory.
template <class Parameters, class Tile>
GridLaunch<Parameters> launch_of(bench::Problem const& problem, Workload const& workload,
                                 std::shared_ptr<TreeBuffers> const& buffers) {
    GridLaunch<Parameters> launch;
    launch.tables = buffers;
    launch.mapping = {1, 1, tree_max_threads, sizeof(Tile), Method::tree, true};
    launch.mapping.one_block_per_multiprocessor = true;
    launch.parameters.grid = grid_parameters(problem, workload);
    launch.parameters.keys = philox_keys(launch.parameters.grid.seed);
    return launch;
}

// Sets the kernel and its threads per block.
void pick_tree(GridLaunch<TreeParameters>& launch, Workload const& workload, std::uint64_t const streams) {
    bool const whole = workload.shape.width % 32 == 0;
    unsigned const sites = workload.shape.sites();
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
    auto launch = launch_of<TreeParameters, TreeTile>(problem, workload, buffers);
    pick_tree(launch, workload, problem.units);
    TreeParameters& p = launch.parameters;
    TreeShape const shape{workload.shape.sites()};
    p.sites = shape.sites;
    p.top = shape.top();
    unsigned const end = shape.sites % tree_set_sites;
    std::vector<PartSets> parts = make_part_sets(16, 16);
    put_part_sets(parts, end, 16);
    buffers->masks = upload_table(make_mask_blocks());
    buffers->parts = upload_table(parts);
    p.masks = buffers->masks.data();
    p.parts = buffers->parts.data();
    p.pair = buffers->upload_split(32, 32, pair_column_bits);
    p.word = buffers->upload_split(16, 16, word_column_bits);
    if (end != 0)
        p.end_pair = upload_set(*buffers, end, 16, p.end_words);
    for (unsigned level = 0; level <= p.top; ++level) {
        unsigned const low = shape.low_sites(level);
        if (shape.sites >= 2 * low)
            p.nodes[level] = buffers->upload_node(low, low);
        if (shape.end_sites(level) > low)
            p.ends[level] = buffers->upload_node(low, shape.end_sites(level) - low);
    }
    return launch;
}

using ColourKernel = void (*)(ColourParameters, unsigned*);

// The slides' board with 71 + 70 sites, or about as many: 141 are two full sets and two parts.
using SlidesBuild = ColourBuild<15, 2, 2>;

bool fits_slides_build(Workload const& workload) {
    unsigned const second = workload.occupied.front();
    return workload.shape == Shape{15, 15} && second >= SlidesBuild::min_sites(1) &&
           second <= SlidesBuild::max_sites(1);
}

// Sets the kernel and its threads per block.
template <class Build>
void pick_coloured_build(GridLaunch<ColourParameters>& launch, Workload const& workload, std::uint64_t const streams) {
    launch.kernel = with_engine_and_output(workload, [&]<class Engine, bool stored>() -> ColourKernel {
        constexpr bool needs_registers = !std::is_same_v<typename KeyedEngine<Engine>::Type, Engine>;
        if constexpr (needs_registers && stored && Build::height != 0) {
            if (suits_fewer_threads(streams)) {
                launch.mapping.threads_per_block = tree_fewer_threads;
                return coloured_boards<Engine, stored, Build, tree_fewer_threads>;
            }
        }
        return coloured_boards<Engine, stored, Build>;
    });
}

void pick_coloured(GridLaunch<ColourParameters>& launch, Workload const& workload, std::uint64_t const streams) {
    if (fits_slides_build(workload))
        pick_coloured_build<SlidesBuild>(launch, workload, streams);
    else if (workload.shape == Shape{15, 15})
        pick_coloured_build<ColourBuild<15, 0, 0>>(launch, workload, streams);
    else
        pick_coloured_build<ColourBuild<0, 0, 0>>(launch, workload, streams);
}

// Sizes of the plane's groups and sets that are not full.
void upload_plane(TreeBuffers& buffers, ColourPlane& plane, std::vector<PartSets>& parts) {
    unsigned const end = plane.sites % colour_set_sites;
    unsigned const rest = plane.sites % colour_group_sites;
    if (plane.sites > colour_group_sites)
        plane.top = buffers.upload_node(colour_group_sites, plane.sites - colour_group_sites);
    if (rest > colour_set_sites)
        plane.end_group = buffers.upload_node(colour_set_sites, rest - colour_set_sites);
    if (end != 0)
        plane.pair = upload_set(buffers, end, colour_part_sites, plane.words);
    put_part_sets(parts, end, colour_part_sites);
}

GridLaunch<ColourParameters> prepare_coloured(bench::Problem const& problem, Workload const& workload) {
    auto const buffers = std::make_shared<TreeBuffers>();
    auto launch = launch_of<ColourParameters, ColourTile>(problem, workload, buffers);
    pick_coloured(launch, workload, problem.units);
    ColourParameters& p = launch.parameters;
    std::vector<PartSets> parts = make_part_sets(colour_part_sites, colour_part_sites);
    for (unsigned plane = 0; plane < colour_planes; ++plane) {
        p.planes[plane].sites = plane == 0 ? workload.shape.sites() : workload.occupied[plane - 1];
        p.planes[plane].pack = plane == 0 ? 1u << 16 : 1u << colour_part_sites;
        upload_plane(*buffers, p.planes[plane], parts);
    }
    buffers->masks = upload_table(make_mask_blocks(colour_part_sites));
    buffers->parts = upload_table(parts);
    buffers->words.push_back(upload_table(make_deposits()));
    p.masks = buffers->masks.data();
    p.parts = buffers->parts.data();
    p.deposit = buffers->words.back().data();
    SplitSource words[2];
    p.pair = upload_set(*buffers, colour_set_sites, colour_part_sites, words);
    p.word = words[0];
    p.group = buffers->upload_node(colour_set_sites, colour_set_sites);
    return launch;
}

}  // namespace

bench::Variant make_tree(SharedLimit limit) {
    WhyNot const why_not = [limit = std::move(limit)](Workload const& workload) {
        std::string const reason = why_not_tree(workload);
        return reason.empty() ? why_no_room(workload.planes() > 1 ? sizeof(ColourTile) : sizeof(TreeTile), limit)
                              : reason;
    };
    MakeCase const one_colour = case_maker("tree", prepare_tree, why_not);
    MakeCase const two_colours = case_maker("tree", prepare_coloured, why_not);
    return made_variant(
        "tree", bench::Role::ours, "tree",
        "splits k from the board down to sets of 64 sites, or of 60 with two colours, which it draws by their number: "
        "any k costs the same",
        [one_colour, two_colours](bench::Problem const& problem) {
            return read_workload(problem.axes).planes() > 1 ? two_colours(problem) : one_colour(problem);
        },
        why_not);
}

void add_tree(bench::Experiment& experiment) { experiment.variants.push_back(make_tree(max_shared_bytes)); }

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
